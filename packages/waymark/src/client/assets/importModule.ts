/** Imports a module by its URL, past the bundler: plugin-rsc makes an `import()` of it. */
export function importModule(url: string): Promise<Record<string, unknown>> {
  return __vite_rsc_raw_import__(url)
}
