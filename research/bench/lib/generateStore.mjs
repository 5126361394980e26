/** Writes an app as teams have them: many routes, packages from npm, and pictures. */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import {
  componentPackages,
  functionPackages,
  hookPackages,
} from '../../../e2e/harness/packageSamples.ts'

// Below the end-to-end tests, whose `node_modules` has the packages.
const appsDir = fileURLToPath(new URL('../../../e2e/apps/', import.meta.url))
const { default: sharp } = await import(
  createRequire(new URL('../../../packages/image/package.json', import.meta.url)).resolve('sharp')
)

const samples = [...functionPackages, ...hookPackages, ...componentPackages]
const sections = 12
const pictures = 20

/**
 * Writes an app in which each route uses one of the packages in a client component, a style sheet
 * and a picture. Every fifth route is rendered for each request.
 * @returns its folder
 */
export async function generateStore(routes) {
  const dir = `${appsDir}store-${routes}/`
  rmSync(dir, { recursive: true, force: true })
  const write = (file, text) => {
    mkdirSync(new URL('.', `file://${dir}${file}`), { recursive: true })
    writeFileSync(dir + file, text)
  }
  write('package.json', '{ "private": true, "type": "module" }\n')
  write(
    'vite.config.ts',
    `import { images } from '@waymark/image/vite'
import { waymark } from 'waymark/vite'

export default { plugins: [waymark(), images()] }
`,
  )
  write(
    'app/layout.tsx',
    `export default function Layout({ children }) {
  return <html lang="en"><body>{children}</body></html>
}
`,
  )
  write('app/page.tsx', 'export default () => <h1>Store</h1>\n')
  for (const [at, { top, body = '', jsx }] of samples.entries()) {
    write(
      `shown/show${at}.tsx`,
      `'use client'\n${top}\nexport function Show() {\n  ${body}\n  return ${jsx}\n}\n`,
    )
  }
  for (let section = 0; section < sections; section++) {
    write(
      `app/section${section}/layout.tsx`,
      `export default function Section({ children }) {
  return <section><h2>Section ${section}</h2>{children}</section>
}
`,
    )
  }
  for (let route = 0; route < routes; route++) writeRoute(write, route)
  mkdirSync(`${dir}pictures`, { recursive: true })
  for (let at = 0; at < pictures; at++) await writePicture(`${dir}pictures/p${at}.jpg`, at)
  return dir
}

function writeRoute(write, route) {
  const folder = `app/section${route % sections}/route${route}`
  const option = route % 5 === 0 ? "export const dynamic = 'force-dynamic'\n\n" : ''
  const paragraphs = Array.from(
    { length: 20 },
    (_, at) => `      <p className={styles.text}>Paragraph ${at} of the route ${route}.</p>`,
  )
  write(`${folder}/page.module.css`, `.text { margin: ${route}px; color: #${String(100 + route)} }\n`)
  write(
    `${folder}/toggle.tsx`,
    `'use client'
import { useState } from 'react'

export function Toggle() {
  const [isOn, setOn] = useState(false)
  return <button type="button" onClick={() => setOn(!isOn)}>Route ${route}: {isOn ? 'on' : 'off'}</button>
}
`,
  )
  write(
    `${folder}/page.tsx`,
    `import { Image } from '@waymark/image'
import picture from '../../../pictures/p${route % pictures}.jpg?image'
import { Show } from '../../../shown/show${route % samples.length}.tsx'
import styles from './page.module.css'
import { Toggle } from './toggle.tsx'

${option}export const metadata = { title: 'Route ${route}' }

export default function Page() {
  return (
    <main>
      <h1>Route ${route}</h1>
      <Image src={picture} alt="" sizes="100vw" />
      <Show />
      <Toggle />
${paragraphs.join('\n')}
    </main>
  )
}
`,
  )
}

/** Writes a picture of 2400 × 1600 pixels. Blurred noise compresses about as well as a photo. */
async function writePicture(file, at) {
  const noise = { type: 'gaussian', mean: 128, sigma: 20 + (at % 5) }
  const create = { width: 2400, height: 1600, channels: 3, background: '#888', noise }
  const noisy = await sharp({ create }).png({ compressionLevel: 0 }).toBuffer()
  await sharp(noisy).blur(2).linear(4, -384).jpeg({ quality: 80 }).toFile(file)
}
