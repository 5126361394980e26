/** The browser's own `import()`. Vite's dev server leaves whole URLs as they are. */
export function importUrl(url: string): Promise<unknown> {
  return import(/* @vite-ignore */ new URL(url, location.href).href)
}

/** Imports a chunk of a build. A file that was cut may still be a module; its exports stand at its end. */
export async function importWhole(url: string): Promise<unknown> {
  const module = await importUrl(url)
  if (!import.meta.env.DEV && Object.keys(module as object).length === 0) {
    throw new TypeError('A chunk has no exports.')
  }
  return module
}
