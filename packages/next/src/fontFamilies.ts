throw new Error(
  'Fonts are read at build: add next() of the entry vite to vite.config.ts, and call the function of a family at the top level of a module, with literals.',
)
