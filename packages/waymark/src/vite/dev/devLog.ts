import type { DevEnvironment, ErrorPayload, HotPayload, ViteDevServer } from 'vite'
import type { JournalEntry } from '../../journal/journalEntry.ts'
import { entryHead } from '../../journal/reportError.ts'
import { createFailureReport, type DevFailure, type DevFailures, failureText } from './failures.ts'
import { type MappedEnvironments, mapEntry } from './journalPages.ts'

// A browser asks for a page again that failed, and Vite says of a file what its import says, too.
const sameWithinMs = 3_000

/**
 * Writes the failures of the dev server to the terminal: each once until a file changes, by its
 * place in the app. What Vite sends to browsers is put into the same words.
 */
export function createDevLog(
  { config, environments, watcher }: ViteDevServer,
  failures: DevFailures,
  mapped: MappedEnvironments,
) {
  const { logger, root } = config
  const report = createFailureReport(root)
  const printedAtMs = new Map<string, number>()
  const print = logger.error.bind(logger)
  watcher.on('all', () => printedAtMs.clear())

  function isNew(key: string): boolean {
    const nowMs = performance.now()
    const isOld = nowMs - (printedAtMs.get(key) ?? -Infinity) < sameWithinMs
    printedAtMs.set(key, nowMs)
    return !isOld
  }

  function printOnce(text: string, head?: string): void {
    const [message = ''] = text.split(/\n\s*(?:at|rendered by)\s/, 1)
    const isRepeated = !isNew(message)
    if (!isRepeated) print(head ? `${head}\n${text}` : text)
    // Its first word is the digest, another one each time.
    if (head && isNew(head.slice(head.indexOf(' '))) && isRepeated) print(`${head} again`)
  }

  function logThrown(thrown: unknown): void {
    printOnce(failureText(report(thrown)))
  }

  logger.error = (message, options) => {
    if (!options?.error || message.includes('Error when evaluating SSR module')) {
      print(message, options)
      return
    }
    logThrown(options.error)
  }
  explainErrors(mapped.client, watcher, report, logThrown)
  for (const { hot } of Object.values(environments).filter((each) => each !== mapped.client)) {
    const send = hot.send.bind(hot) as (...args: unknown[]) => void
    // The client gets it, too.
    hot.send = (...args: unknown[]) => isError(args[0]) || send(...args)
  }

  return {
    logThrown,
    /** Logs what the app has reported. */
    logEntry(given: string, entry: JournalEntry): void {
      const write = (failure: DevFailure) => printOnce(failureText(failure), entryHead(entry))
      // What was thrown has a place, of which an entry knows nothing; it is added in this turn.
      queueMicrotask(() => {
        const own = failures.remembered(entry.digest)
        if (own) return write(own)
        const described = mapEntry(entry, mapped).then(failures.describe)
        // What can't be described is written as it came.
        described.then(write).catch(() => print(given))
      })
    },
  }
}

type ErrorMessage = Extract<HotPayload, { type: 'error' }>

function isError(payload: unknown): payload is ErrorMessage {
  return Object(payload).type === 'error'
}

// By then, Vite has said what a change means for browsers.
const silentForMs = 300

function explainErrors(
  { hot, moduleGraph }: DevEnvironment,
  watcher: ViteDevServer['watcher'],
  report: (thrown: unknown) => ErrorPayload['err'],
  log: (thrown: unknown) => void,
) {
  const send = hot.send.bind(hot) as (...args: unknown[]) => void
  let sent = 0
  let isShown = false
  // Of the change that is being handled.
  let ofChange: ErrorMessage | null = null
  // Of a module that failed, Vite may have forgotten who accepts it: nothing would tell the browser
  // that it was mended.
  watcher.on('change', () => {
    const before = sent
    const reload = () => sent === before && hot.send({ type: 'full-reload' })
    if (isShown) setTimeout(reload, silentForMs).unref()
  })
  watcher.on('all', () => {
    ofChange = null
  })
  hot.send = (...args: unknown[]) => {
    const [payload] = args
    // Styles that depend on every file, as Tailwind's, change with the one that has the mistake:
    // browsers close the overlay for that.
    if (ofChange && Object(payload).type === 'update') {
      send(payload)
      return send(ofChange)
    }
    // An event of somebody's own has a name in its place, and says nothing of what is shown.
    if (typeof payload === 'object') {
      sent++
      isShown = isError(payload)
    }
    if (!isError(payload)) return send(...args)
    const thrown = Object.assign(new Error(payload.err.message), payload.err)
    log(thrown)
    for (const module of moduleGraph.getModulesByFile(payload.err.id ?? '') ?? []) {
      // A browser has it from before: Vite has forgotten that it accepts updates.
      module.isSelfAccepting ||= module.lastHMRTimestamp > 0
    }
    ofChange = { ...payload, err: report(thrown) }
    send(ofChange)
  }
}
