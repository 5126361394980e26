// npm install vite@8.3.8 @vitejs/plugin-rsc@0.5.38 react@19.3.1 react-dom@19.3.1
// node plugin-rsc-bound-args.mjs
import rsc from '@vitejs/plugin-rsc'
import { createServer } from 'vite'

const createKey = () => Buffer.from(crypto.getRandomValues(new Uint8Array(32))).toString('base64')

/** Starts a server with a key. @returns its functions for the arguments that actions close over */
async function startServer(key) {
  const server = await createServer({
    configFile: false,
    logLevel: 'error',
    server: { middlewareMode: true, ws: false },
    environments: { client: {}, ssr: {}, rsc: {} },
    plugins: [rsc({ serverHandler: false, defineEncryptionKey: JSON.stringify(key) })],
  })
  const runtime = '@vitejs/plugin-rsc/utils/encryption-runtime'
  return { server, ...(await server.environments.rsc.runner.import(runtime)) }
}

const before = await startServer(createKey())
const page = await before.encryptActionBoundArgs(['order 17'], 'action')
console.log(
  'the server that rendered the page:',
  await before.decryptActionBoundArgs(page, 'action'),
)

// The key was rotated while a page was open. The page sends its form.
const after = await startServer(createKey())
const outcome = await after.decryptActionBoundArgs(page, 'action').catch((thrown) => thrown)
console.log('the server with the next key:', outcome instanceof Error ? outcome.name : outcome)
await Promise.all([before, after].map(({ server }) => server.close()))
process.exit(outcome instanceof Error ? 1 : 0)
