/**
 * Bundles the floors into `research/bench/dist/floors`: `rsc.js` under the `react-server` condition,
 * `ssr.js` without it (two copies of React, as in any such server), and `client.js`, whose
 * bytes are the floor for an interactive page.
 */
import { mkdirSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { build } from 'vite'
import { buildClientFloor } from '../../../e2e/harness/clientFloor/build.mjs'

const floorsDir = fileURLToPath(new URL('.', import.meta.url))

/** Where the bundles lie. */
export const outDir = fileURLToPath(new URL('../dist/floors/', import.meta.url))

/** Builds all three bundles. */
export async function buildFloors() {
  mkdirSync(outDir, { recursive: true })
  await buildServer('rsc', ['react-server', 'module', 'node'], [clientReferences()])
  await buildServer('ssr', ['module', 'node'], [])
  writeFileSync(`${outDir}client.js`, await buildClientFloor())
}

function buildServer(name, conditions, plugins) {
  return build({
    ...shared(plugins),
    resolve: { conditions },
    ssr: { noExternal: true, resolve: { conditions } },
    build: {
      ssr: `${floorsDir}entry-${name}.tsx`,
      outDir,
      emptyOutDir: false,
      minify: false,
      rolldownOptions: { output: { entryFileNames: `${name}.js` } },
    },
  })
}

function shared(plugins) {
  return {
    root: floorsDir,
    configFile: false,
    logLevel: 'error',
    plugins,
    define: {
      'process.env.NODE_ENV': '"production"',
      // `react-dom/server.bun` hashes the key of a form's state with it; no measured page has one.
      'Bun.hash': 'globalThis.String',
    },
  }
}

/** Replaces the client component by its reference, as a bundler for server components does. */
function clientReferences() {
  const server = '@vitejs/plugin-rsc/vendor/react-server-dom/server.node'
  return {
    name: 'floors:client-references',
    transform(code, id) {
      if (!/^\s*['"]use client['"]/.test(code)) return
      const name = id.replace(/^.*\/|\.tsx$/g, '')
      const exported = [...code.matchAll(/export function (\w+)/g)].map((match) => match[1])
      const lines = exported.map(
        (value) =>
          `export const ${value} = registerClientReference(() => { throw Error('client only') }, '${name}', '${value}')`,
      )
      return {
        code: `import { registerClientReference } from '${server}'\n${lines.join('\n')}`,
        map: null,
      }
    },
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await buildFloors()
