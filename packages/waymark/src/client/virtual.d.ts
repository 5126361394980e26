declare module 'virtual:vite-rsc/client-references' {
  const references: Readonly<Record<string, () => Promise<unknown>>>
  export default references
}

declare module 'virtual:waymark/navigation' {
  import type { NavigationSettings, PrefetchLimits } from '../shared/navigationSettings.ts'

  export const navigation: NavigationSettings
  export const prefetch: PrefetchLimits
}

/** An `import()` that Vite leaves as it is. */
declare function __vite_rsc_raw_import__(url: string): Promise<Record<string, unknown>>
