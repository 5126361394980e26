/**
 * Types for the packages that the guide's recipes install, limited to the functions that the
 * recipes use.
 */
declare module 'leaflet' {
  type Map = {
    setView(center: readonly [number, number], zoom: number): Map
    remove(): void
  }
  const leaflet: {
    map(element: HTMLElement): Map
    tileLayer(url: string): { addTo(map: Map): void }
  }
  export default leaflet
}

declare module 'postcss-nesting' {
  export default function nesting(): import('postcss').Plugin
}

/** The global variable of a tag manager. */
interface Window {
  dataLayer: object[] | undefined
}

/** The main module in a build's output. */
declare module '*/.waymark/rsc/index.js' {
  type Server = Parameters<typeof import('waymark/node').createNodeServer>[0]
  type Files = ReturnType<typeof import('waymark/node').loadStaticFiles>
  type FileOptions = Parameters<typeof import('waymark/node').loadStaticFiles>[0]
  export const allowedHosts: readonly string[] | null
  export const handle: Server['handle']
  export const loadShedding: Server['loadShedding']
  export const defaultHeaders: FileOptions['headers']
  export const findCached: FileOptions['findCached']
  export const isProxiedFile: NonNullable<FileOptions['isProxied']>
  export function attachBuilt(pages: Files): void
  export function register(): Promise<void>
}

declare module 'remark-frontmatter' {
  export default function remarkFrontmatter(): void
}

declare module 'remark-mdx-frontmatter' {
  export default function remarkMdxFrontmatter(options: { name: string }): void
}

declare module '@playwright/test' {
  type Page = import('playwright-core').Page
  type Matchers = {
    toBe(value: unknown): void
    toBeGreaterThan(value: number): void
    toBeVisible(): Promise<void>
    toBeHidden(options: { timeout: number }): Promise<void>
    toPass(): Promise<void>
  }
  export function defineConfig<Config extends object>(config: Config): Config
  export function expect(value: unknown): Matchers
  export function test(name: string, run: (fixtures: { page: Page }) => Promise<void>): void
  export namespace test {
    function describe(name: string, define: () => void): void
    function use(options: { javaScriptEnabled: boolean }): void
  }
}
