throw new Error(
  'Fonts are loaded at build time. Add next() from next/vite to the plugins in vite.config.ts, and call the font function at the top level of a module, with literal arguments.',
)
