/** The pages beside the playground that a reader learns from, with the names of their words. */
export const guides = [
  { href: "./course.html", name: "header.tutorial", about: "header.tutorial.about" },
  { href: "./lab.html", name: "header.lab", about: "header.lab.about" },
  { href: "./reference.html", name: "header.reference", about: "header.reference.about" },
] as const;
