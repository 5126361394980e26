import type { BuildReporter } from '../vite/build/reporter.ts'
import { routesTable } from './routesTable.ts'
import type { Terminal } from './terminal.ts'

/** Makes what prints the course of a build: a line for each step, then the routes. */
export function createBuildReporter(
  terminal: Terminal,
  now: () => number = () => performance.now(),
): BuildReporter {
  const startedAtMs = now()
  let running: { text: string; sinceMs: number } | null = null

  const endStep = () => {
    if (!running) return
    const took = seconds(now() - running.sinceMs)
    terminal.print(`  ${running.text} ${terminal.paint.dim(took)}`)
    running = null
  }

  return {
    step(text) {
      endStep()
      running = { text, sinceMs: now() }
      terminal.progress(`  ${text}…`)
    },
    progress: (text) => terminal.progress(`  ${running?.text ?? ''}: ${text}`),
    output: (text) => terminal.print(text.replace(/\n$/, '')),
    finish(facts) {
      endStep()
      terminal.print()
      for (const line of routesTable(facts.routes, terminal.paint)) terminal.print(line)
      terminal.print()
      if (facts.externals.length > 0) {
        terminal.print(`The server needs these packages installed: ${facts.externals.join(', ')}`)
      }
      terminal.print(`Built in ${seconds(now() - startedAtMs)}.`)
    },
  }
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`
}
