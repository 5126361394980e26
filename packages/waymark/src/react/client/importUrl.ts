/** An `import()` that bundlers leave as it is: plugin-rsc puts it in the place of this name. */
declare function __vite_rsc_raw_import__(url: string): Promise<Record<string, unknown>>

export const importUrl = (url: string) => __vite_rsc_raw_import__(url)
