/**
 * Imports an absolute URL with the browser's `import()`. Vite's dev server doesn't rewrite such
 * imports.
 */
export function importUrl(url: string): Promise<unknown> {
  return import(/* @vite-ignore */ new URL(url, location.href).href)
}

/**
 * Imports a chunk of a build, and rejects if the file was cut off. Such a file may still be a valid
 * module, but it has no exports, because they are at the end.
 */
export async function importWhole(url: string): Promise<unknown> {
  const module = await importUrl(url)
  if (!import.meta.env.DEV && Object.keys(module as object).length === 0) {
    throw new TypeError(`The chunk ${url} has no exports. It was probably cut off.`)
  }
  return module
}
