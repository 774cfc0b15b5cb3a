// Package tune searches mechanisms and their parameters for the greatest gain: quality minus cost, Z = Q − K, both stated as weighted
// figures of runs (Adam, further work).
//
// A run is dear and its figures scatter, and most of the candidates are far from good. So a search spends runs where they tell most
// ([Search]): a few candidates of every mechanism, spread out; then the neighbours of the best ones, as long as that helps; then
// successive halving, in which the better half goes on to the next seed until one is clearly best. Candidates share the seeds of
// their runs and are compared run by run, which tells them apart long before their means are known. What is done next depends on
// figures alone: the same seed gives the same answer, on any number of processors.
//
// Candidates lie on a grid: parameters are steps that somebody would choose between, mechanisms are not numbers at all, and what comes of
// a run is not smooth. That is why there is no gradient here, nor an optimiser over real numbers.
package tune
