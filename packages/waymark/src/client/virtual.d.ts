declare module 'virtual:vite-rsc/client-references' {
  const references: Readonly<Record<string, () => Promise<unknown>>>
  export default references
}

/** An `import()` that Vite leaves as it is. */
declare function __vite_rsc_raw_import__(url: string): Promise<Record<string, unknown>>
