// People have names, which follow from their numbers or their looks: the same person has the same name on every page.

const NAMES = (
  "Ada Amir Anouk Arjun Asa Aya Bela Bo Carmen Chidi Clara Dan Dara Diego Edda Elif Emil Esra Eva Farah Femi Finn Gita Greta " +
  "Hana Hugo Ida Ilse Ines Ivan Jana Jin Joao Juno Kai Karim Kofi Lale Lars Leila Lena Liam Lin Lotte Luca Maja Malik Marek " +
  "Mei Mila Mina Mira Nadia Nils Noor Nora Olga Omar Otto Pablo Pia Priya Quinn Rafa Rana Remi Rosa Runa Sami Sara Selma " +
  "Sofia Sven Tala Tariq Theo Tilda Tomas Uma Vera Vito Wanda Wei Xenia Yara Yuki Yusuf Zara Zeno Zora"
).split(" ");

// STRIDE spreads neighbours in number over the alphabet. It shares no divisor with how many names there are, so that all get used.
const STRIDE = 37;

// nameOf names a user. Nobody has somebody else's name: when all first names are given, an initial follows.
export function nameOf(user: number): string {
  if (user === 0) return "nobody";
  const first = NAMES[(user * STRIDE) % NAMES.length], round = Math.floor((user - 1) / NAMES.length);
  return round === 0 ? first : `${first} ${initials(round)}.`;
}

// initials counts A, B … Z, AA, AB …
function initials(n: number): string {
  return (n > 26 ? initials(Math.floor((n - 1) / 26)) : "") + String.fromCharCode(65 + ((n - 1) % 26));
}
