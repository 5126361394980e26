/** Writes apps of any number of routes. */
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
 * @returns its folder
 */
export function generateApp(routes) {
  const dir = `${appsDir}${routes}-routes/`
  rmSync(dir, { recursive: true, force: true })
  writePage(`${dir}app`, 'Home')
  writeFileSync(`${dir}app/layout.tsx`, layout)
  writeFileSync(`${dir}package.json`, '{ "private": true, "type": "module" }\n')
  for (let route = 1; route < routes; route++) writePage(`${dir}app/r${route}`, `Route ${route}`)
  return dir
}

/** Deletes an app that `generateApp` wrote. */
export function removeApp(dir) {
  rmSync(dir, { recursive: true, force: true })
}

function writePage(dir, title) {
  mkdirSync(dir, { recursive: true })
  writeFileSync(`${dir}/page.tsx`, `export default () => <h1>${title}</h1>\n`)
}
