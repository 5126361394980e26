import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join, resolve } from 'node:path'
import { type CommandInput, defineCommand } from 'waymark/plugin'
import { buildLayout, sharedOptions } from 'waymark/plugin/node'
import { browserOption, httpUrl } from '../options.ts'
import { readBuild, serveBuild } from './builtApp.ts'
import { launchBrowser } from './drillBrowser.ts'
import { readDrillConfig } from './drillConfig.ts'
import { type DrillReport, drillJson, junitXml, summaryLines } from './drillReport.ts'
import type { DrillResult } from './drillResult.ts'
import { type ChosenRoutes, chooseFaults, chooseRoutes } from './drillRoutes.ts'
import { isLoopback } from './faultProxy.ts'
import { measureSlowdown } from './machineSpeed.ts'
import { runDrill } from './runDrill.ts'

const { route, json } = sharedOptions

type Terminal = CommandInput['terminal']

/** Breaks each load of an app, and reports what a user sees. */
export const drill = defineCommand({
  details: `Serves the build behind a proxy that breaks responses, and visits its pages in a browser.
Reads settings from drill.config.ts, and writes a report with screenshots to .waymark/drill.`,
  options: {
    route,
    fault: {
      value: 'names',
      text: 'Run only these faults, such as scripts,data:hang. Default: all.',
    },
    url: { ...httpUrl, text: 'Test a running server instead of the build.' },
    'yes-this-host': {
      text: 'Allow a --url on another machine. Only use this for your own servers.',
    },
    browser: browserOption,
    minutes: {
      value: 'number',
      parse: (text) => (/^\d{1,4}(?:\.\d+)?$/.test(text) && Number(text) > 0 ? Number(text) : null),
      valid: 'Write --minutes 10 or --minutes 2.5.',
      text: 'Stop starting loads after this time. Default: 10.',
    },
    slowdown: {
      value: 'factor',
      parse: (text) =>
        /^\d{1,3}(?:\.\d+)?$/.test(text) && Number(text) >= 1 ? Number(text) : null,
      valid: 'Write --slowdown 2 or --slowdown 2.5.',
      text: 'Multiply all time limits by this factor. Default: measured at the start.',
    },
    junit: { value: 'file', text: 'Also write a JUnit report for CI servers.' },
    json,
  },
  mode: 'the mode of the build',
  async run({ options, terminal }) {
    const root = resolve(options.folder ?? '.')
    const { url, route, fault, minutes = 10 } = options
    const beganMs = performance.now()
    if (url !== undefined && !isLoopback(new URL(url)) && !options['yes-this-host']) {
      const hint =
        'A drill sends many broken requests. If this is your own server, add --yes-this-host.'
      terminal.fail(`${new URL(url).host} is on another machine.`, hint)
      return 2
    }
    const faults = chooseFaults(fault)
    if (faults.unknown !== null) {
      terminal.fail(
        `There is no fault ${faults.unknown}.`,
        `The faults are ${faults.names.join(', ')}.`,
      )
      return 2
    }
    const config = await readDrillConfig(root)
    const build = url === undefined ? readBuild(root) : null
    const chosen = chooseRoutes(build, config, route?.split(',') ?? null)
    for (const line of chosen.problems) terminal.fail(line)
    if (chosen.routes.length === 0) return 2
    const browser = await launchBrowser(options.browser)
    const app = url === undefined ? await serveBuild(root) : null
    const folder = join(root, buildLayout.folder, 'drill')
    rmSync(folder, { recursive: true, force: true })
    const lanes = Math.max(1, Math.min(4, availableParallelism()))
    try {
      const slowdown = options.slowdown ?? (await measureSlowdown(browser, lanes))
      if (slowdown > 1 && !options.json) {
        terminal.print(
          `This machine is slow or busy. All time limits are ${slowdown} times as long.`,
        )
      }
      const drilled = await runDrill({
        origin: app?.origin ?? new URL(url ?? '').origin,
        routes: chosen.routes,
        faults: faults.chosen,
        config,
        browser,
        // Milliseconds without progress after which a load counts as stuck.
        withinMs: (config.withinMs ?? 12_000) * slowdown,
        slowdown,
        untilMs: beganMs + minutes * 60_000,
        lanes,
        pictures: folder,
        onResult: (result) => options.json || printResult(result, terminal),
      })
      const ms = Math.round(performance.now() - beganMs)
      return finish({ ...drilled, chosen, ms }, folder, { options, terminal })
    } finally {
      await browser.close()
      await app?.stop()
    }
  },
})

function printResult(result: DrillResult, terminal: Terminal): void {
  const { green, red, dim } = terminal.paint
  const { route, fault, outcome, ms, isOk, problem } = result
  const mark = outcome === 'not measured' ? dim('?') : isOk ? green('✓') : red('✗')
  const text = `${outcome.padEnd(12)} ${`${ms} ms`.padStart(8)}`
  terminal.print(
    `${mark} ${fault.padEnd(22)} ${text}  ${dim(route)}${problem ? `: ${problem}` : ''}`,
  )
}

function finish(
  report: DrillReport & { readonly chosen: ChosenRoutes },
  folder: string,
  {
    options,
    terminal,
  }: {
    readonly options: { readonly junit?: string; readonly json?: boolean }
    readonly terminal: Terminal
  },
): number {
  const json = drillJson(report)
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'report.json'), `${JSON.stringify(json, null, 2)}\n`)
  if (options.junit !== undefined) writeFileSync(resolve(options.junit), junitXml(report))
  if (options.json) terminal.printJson(json)
  else for (const line of summaryLines(report)) terminal.print(line)
  return json.ok ? 0 : 1
}
