// People have names, which follow from their numbers or their looks: the same person has the same name on every page.

const NAMES = (
  "Ada Amir Anouk Arjun Asa Aya Bela Bo Carmen Chidi Clara Dan Dara Diego Edda Elif Emil Esra Eva Farah Femi Finn Gita Greta " +
  "Hana Hugo Ida Ilse Ines Ivan Jana Jin Joao Juno Kai Karim Kofi Lale Lars Leila Lena Liam Lin Lotte Luca Maja Malik Marek " +
  "Mei Mila Mina Mira Nadia Nils Noor Nora Olga Omar Otto Pablo Pia Priya Quinn Rafa Rana Remi Rosa Runa Sami Sara Selma " +
  "Sofia Sven Tala Tariq Theo Tilda Tomas Uma Vera Vito Wanda Wei Xenia Yara Yuki Yusuf Zara Zeno Zora"
).split(" ");

// nameOf names a user. Two may share a name, as in life.
export function nameOf(user: number, look?: number): string {
  if (user === 0) return "nobody";
  return NAMES[(look ?? user * 37) % NAMES.length]; // neighbours in number should not be neighbours in the alphabet
}
