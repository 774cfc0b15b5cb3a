//go:build clients

package mechanism

// ClientsOnly says that this program is a page's, which has a user and no server: what only servers need is left out of it.
const ClientsOnly = true
