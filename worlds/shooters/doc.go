// Package shooters is the smallest world in which what users cannot see matters to them: three archers and a wall.
//
//	A ········ B        A and B see each other, and so do B and C; a wall hides A and C from one another.
//	  \        ·
//	    ══════ ·        C shoots B. A moment later, before that news can have arrived, B shoots A.
//	        \  ·
//	           C        B was dead by then, so A lives. Who hears only of what they can see thinks that A is dead.
//
// It is the example by which the authors of SEVE show that seeing is not enough (section III-B). The artificial users play it
// over and over: those who fell rise, C shoots, B shoots, and all wait for the next round. Whoever is down does not shoot, so
// whether A falls depends on an action that A cannot see.
package shooters
