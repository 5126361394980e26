/** What the recipes of the guide install, as far as they use it. */
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

declare module 'remark-frontmatter' {
  export default function remarkFrontmatter(): void
}

declare module 'remark-mdx-frontmatter' {
  export default function remarkMdxFrontmatter(options: { name: string }): void
}

declare module '@playwright/test' {
  type Locator = { click(): Promise<void> }
  type Page = {
    goto(path: string): Promise<{ status(): number } | null>
    getByRole(role: string, options: { name: string }): Locator
  }
  type Matchers = {
    toBe(value: unknown): void
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
