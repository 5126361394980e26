throw new Error(
  'Fonts are compiled by the build. Add next() to the plugins in vite.config.ts, and call the function of a family at the top level of a module, with literals.',
)
