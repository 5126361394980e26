import { createServer } from 'node:net'

// Stay below 32768, because systems use higher ports for outgoing connections. Such a connection
// could take the port of a server that is about to start.
const lowest = 20_000
const highest = 32_000

/** Finds a port on which no process listens. */
export async function freePort(): Promise<number> {
  for (let attempt = 0; attempt < 1000; attempt++) {
    // Choose at random, because other processes look for ports at the same time.
    const port = lowest + Math.floor(Math.random() * (highest - lowest))
    if (await isFree(port)) return port
  }
  throw new Error(`No port from ${lowest} to ${highest} is free.`)
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer()
    server.on('error', () => resolve(false))
    server.listen(port, () => server.close(() => resolve(true)))
  })
}
