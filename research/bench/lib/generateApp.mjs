/** Writes apps with any number of routes or pages. */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

// Below the workspace, so that `react` and `waymark` resolve as they do for the fixture.
const appsDir = fileURLToPath(new URL('../dist/apps/', import.meta.url))

const layout = `export default function Layout({ children }: { children: React.ReactNode }) {
  return <html lang="en"><body>{children}</body></html>
}
`

/**
 * Writes an app with a home page and one-line routes `/r1` and so on.
 * @param given with `isPrerendered`, the build renders the routes, as it does for pages without data
 * @returns its folder
 */
export function generateApp(routes, { isPrerendered = true } = {}) {
  const dir = `${appsDir}${routes}-${isPrerendered ? 'routes' : 'dynamic-routes'}/`
  rmSync(dir, { recursive: true, force: true })
  writePage(`${dir}app`, 'Home')
  const option = isPrerendered ? '' : "export const dynamic = 'force-dynamic'\n\n"
  writeFileSync(`${dir}app/layout.tsx`, option + layout)
  writeFileSync(`${dir}package.json`, '{ "private": true, "type": "module" }\n')
  for (let route = 1; route < routes; route++) writePage(`${dir}app/r${route}`, `Route ${route}`)
  return dir
}

/**
 * Writes an app with one route that has many prerendered pages, whose texts are in `content.json`.
 * @returns its folder
 */
export function generatePages(pages) {
  const dir = `${appsDir}${pages}-pages/`
  rmSync(dir, { recursive: true, force: true })
  writePage(`${dir}app`, 'Home')
  writeFileSync(`${dir}app/layout.tsx`, layout)
  writeContent(dir, pages)
  writeFileSync(`${dir}package.json`, '{ "private": true, "type": "module" }\n')
  mkdirSync(`${dir}app/products/[id]`, { recursive: true })
  writeFileSync(
    `${dir}app/products/[id]/page.tsx`,
    `import { readFileSync } from 'node:fs'

const products: string[] = JSON.parse(readFileSync('content.json', 'utf8'))

export const generateStaticParams = () => products.map((_, at) => ({ id: String(at) }))

export default async function Page({ params }: { params: Promise<{ id: string }> }) {
  const { id } = await params
  return (
    <main>
      <h1>Product {id}</h1>
      <p>{products[Number(id)]}</p>
      <ul>{Array.from({ length: 20 }, (_, at) => <li key={at}>Property {at} of product {id}</li>)}</ul>
    </main>
  )
}
`,
  )
  return dir
}

/**
 * Writes the texts of the pages.
 * @param first text of the first page
 */
export function writeContent(dir, pages, first = 'One of many.') {
  const texts = Array.from({ length: pages }, (_, at) => (at === 0 ? first : 'One of many.'))
  writeFileSync(`${dir}content.json`, JSON.stringify(texts))
}

/** Deletes an app that `generateApp` wrote. */
export function removeApp(dir) {
  rmSync(dir, { recursive: true, force: true })
}

function writePage(dir, title) {
  mkdirSync(dir, { recursive: true })
  writeFileSync(`${dir}/page.tsx`, `export default () => <h1>${title}</h1>\n`)
}
