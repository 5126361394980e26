import type { TestedHost } from '../testedHost.ts'

/** Returns the URL of a script of the start page. */
export async function findScript(host: TestedHost): Promise<string> {
  const document = await host.read('/')
  const [script] = /\/_waymark\/assets\/[^"]+\.js/.exec(document) ?? []
  if (script === undefined) throw new Error('The start page has no script.')
  return script
}

/** Returns the number that a page shows, which differs for each rendering. */
export function renderedNumber(text: string): string {
  const number = /rendered (0\.\d+)/.exec(text)?.[1]
  if (number === undefined) throw new Error(`This is not the expected page: ${text.slice(0, 300)}`)
  return number
}

/**
 * Calls a function until its result passes a check.
 * @throws the check's last error, after `timeoutMs`
 */
export async function eventually(check: () => Promise<void>, timeoutMs = 10_000): Promise<void> {
  const endsAtMs = Date.now() + timeoutMs
  for (;;) {
    try {
      return await check()
    } catch (thrown) {
      if (Date.now() > endsAtMs) throw thrown
    }
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
}
