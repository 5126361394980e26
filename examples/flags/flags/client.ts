import { basePath } from 'waymark'
import type { TracedEvent } from 'waymark/plugin'
import { type Flags, flagsPath } from './rules.ts'
import { setFlags } from './store.ts'

const timeoutMs = 10_000
let latest = 0

export function onBoot(): void {
  void loadFlags()
}

/** Loads the flags again after each navigation, because a navigation may sign the user in or out. */
export function onEvent(event: TracedEvent): void {
  if (event.type !== 'navigation' || event.kind === 'document') return
  if (event.state === 'idle' && event.outcome === 'committed') void loadFlags()
}

/** Never rejects. If a request fails, the current flags stay, so that no button disappears. */
async function loadFlags(): Promise<void> {
  const number = ++latest
  const flags = await fetchFlags().catch(() => null)
  if (number === latest) setFlags(flags)
}

async function fetchFlags(): Promise<Flags | null> {
  const signal = AbortSignal.timeout(timeoutMs)
  const response = await fetch(`${basePath}${flagsPath}`, { signal })
  return response.ok ? response.json() : null
}
