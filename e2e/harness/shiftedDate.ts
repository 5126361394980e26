import type { BrowserContext, Worker } from 'playwright-core'

export const dayMs = 86_400_000

/** Moves the clock ahead in new documents and in service workers that are already running. */
export async function shiftDate(context: BrowserContext, byMs: number): Promise<void> {
  await context.addInitScript(shift, byMs)
  for (const worker of context.serviceWorkers()) await shiftWorker(worker, byMs)
}

function shiftWorker(worker: Worker, byMs: number): Promise<void> {
  return worker.evaluate(shift, byMs)
}

/** Runs in the browser. */
function shift(byMs: number): void {
  const RealDate = Date
  globalThis.Date = class extends RealDate {
    constructor(...args: unknown[]) {
      super(...((args.length === 0 ? [RealDate.now() + byMs] : args) as [number]))
    }
    static override now() {
      return RealDate.now() + byMs
    }
  } as DateConstructor
}
