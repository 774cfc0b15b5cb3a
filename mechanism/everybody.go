//go:build !clients

package mechanism

// ClientsOnly says whether this program is one for users' nodes alone, such as a page's (build tag clients). What only
// servers need is then left out of it.
const ClientsOnly = false
