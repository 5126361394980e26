import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { createServer, type RequestListener } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { onTestFinished } from 'vitest'

/** Serves with a listener for one test. @returns its port */
export async function startServer(listener: RequestListener): Promise<number> {
  const server = createServer(listener)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  })
  return (server.address() as AddressInfo).port
}

/** How long a slow machine may take for its first byte, and for what a test waits for. */
const patienceMs = 10_000

/** Sends bytes as they are. @returns what comes back until the server closes or falls silent */
export function exchange(port: number, text: string, silenceMs = 300): Promise<string> {
  return new Promise((resolve) => {
    let received = ''
    const socket = connect(port, '127.0.0.1', () => socket.write(text, 'latin1'))
    socket.setTimeout(patienceMs, () => socket.destroy())
    socket.on('data', (bytes) => {
      socket.setTimeout(silenceMs)
      received += bytes.toString('latin1')
    })
    socket.on('error', () => {})
    socket.on('close', () => resolve(received))
  })
}

/** A GET or another request without body, written as text. */
export function requestText(method: string, target: string, lines: readonly string[] = []): string {
  return [`${method} ${target} HTTP/1.1`, 'Host: a.test', ...lines, '', ''].join('\r\n')
}

/** Writes files into a new folder. @returns its path */
export function createFolder(files: Readonly<Record<string, string | Uint8Array>>): string {
  const folder = mkdtempSync(join(tmpdir(), 'waymark-node-'))
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), content)
  }
  return folder
}

/** Waits until something holds. @throws after ten seconds */
export async function until(holds: () => boolean): Promise<void> {
  const deadlineMs = Date.now() + patienceMs
  while (!holds()) {
    if (Date.now() > deadlineMs) throw new Error('It did not come true within ten seconds.')
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
}
