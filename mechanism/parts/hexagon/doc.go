// Package hexagon tiles a map with hexagonal zones.
//
// [Fit] lays any number of zones over any map: their centres form columns of which every other one is shifted by half a zone,
// and a zone is all that is nearest to its centre. Inside the map zones are hexagons; at its edges they end where the map does.
// Three zones meet at a corner, never four, so that a circle of sight which is small against a zone touches at most three of them:
// of squares it would be four, of triangles six.
//
// # Bands
//
// A zone's border is the middle of a band ([Map.Settle]). Who is in a zone stays in it until the far side of the band is crossed:
// into a zone one goes by its check-in line, half a band inside its border, and out of it by its check-out line, half a band
// outside. Whoever moves to and fro along a border therefore stays where they are. It follows that who counts as in a zone may be
// up to half a band outside of it; whoever wants to see all who are in a zone has to look that much beyond its border
// ([Map.Beyond]).
//
// # Parts
//
// A zone has a core and a part next to each neighbour ([Map.Part]), which it may hand to that one when it is too full: package balance.
//
// Source: zonal, sections 3.2, 3.3 and 4.2.
package hexagon
