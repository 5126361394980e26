import { writeFile } from 'node:fs/promises'
import { launchBrowser } from '@waymark/testing'
import type { Browser } from 'playwright-core'
import { defineCommand, type Terminal } from 'waymark/plugin'
import { waymarkVersion } from 'waymark/plugin/node'
import { caseGroups } from './cases/index.ts'
import { createReport, resultLines, summaryLine } from './report.ts'
import { type CaseResult, runCases } from './runCases.ts'
import { runScript } from './runScript.ts'
import { readBuiltHost, writeTestedApp } from './testedApp.ts'
import { createTestedHost } from './testedHost.ts'

/** Milliseconds for each script. A deployment to a platform takes minutes. */
const scriptMs = 15 * 60_000

/** Deploys the test app with an adapter's scripts, and runs the cases against it. */
export const conformance = defineCommand({
  details:
    'Writes a test app to .conformance, and runs three scripts: one builds and deploys the app, one prints its URL, and one cleans up. In between, it checks that the host serves the app correctly.',
  options: {
    deploy: { value: 'command', text: 'Builds the app with the adapter, and deploys it.' },
    url: { value: 'command', text: 'Prints the URL of the deployed app as its last line.' },
    'clean-up': { value: 'command', text: 'Removes the deployed app. Runs in any case.' },
    only: {
      value: 'text',
      separator: '\n',
      text: 'Run only the cases whose name contains this text. Repeatable.',
    },
    report: { value: 'file', text: 'Write the results to this file, as JSON.' },
    browser: { value: 'path', text: 'Chromium or Chrome, for the cases that need a browser.' },
    list: { text: 'List the cases, and run nothing.' },
  },
  mode: 'production',
  async run({ options, terminal }) {
    const { deploy, url, 'clean-up': cleanUp, only, report, browser: program, list } = options
    const groups = caseGroups.map(({ title, cases }) => ({
      title,
      cases: cases.filter(({ name }) => isChosen(name, only)),
    }))
    if (list) {
      printCases(groups, terminal)
      return 0
    }
    if (deploy === undefined || url === undefined) {
      terminal.fail(
        'The scripts are missing.',
        'Add them: waymark conformance --deploy ./deploy.sh --url ./url.sh --clean-up ./clean-up.sh',
      )
      return 2
    }
    const cwd = process.cwd()
    writeTestedApp(cwd)
    const browser = await launchBrowser(program).catch(() => null)
    let cases: readonly CaseResult[]
    try {
      await runScript(deploy, { cwd, timeoutMs: scriptMs })
      const origin = parseOrigin(await runScript(url, { cwd, timeoutMs: scriptMs }))
      const { lacks } = readBuiltHost(cwd)
      cases = await runCases({
        groups,
        host: createTestedHost(origin, (target) => openPage(browser, target)),
        lacks,
        hasBrowser: browser !== null,
        onResult: (result) => terminal.print(resultLines(result)),
      })
    } finally {
      await browser?.close()
      if (cleanUp !== undefined) await runScript(cleanUp, { cwd, timeoutMs: scriptMs })
    }
    const date = new Date().toISOString().slice(0, 10)
    const results = createReport(readBuiltHost(cwd), { waymark: waymarkVersion(), date, cases })
    if (report !== undefined) await writeFile(report, `${JSON.stringify(results, null, 2)}\n`)
    terminal.print(summaryLine(results))
    return results.counts.failed === 0 ? 0 : 1
  },
})

/** @param only texts, one on each line */
function isChosen(name: string, only: string | undefined): boolean {
  return only === undefined || only.split('\n').some((text) => name.includes(text))
}

function printCases(groups: typeof caseGroups, { print, paint }: Terminal): void {
  for (const { title, cases } of groups) {
    print(paint.bold(title))
    for (const { name, needs = [] } of cases) {
      print(`  ${name}${needs.length > 0 ? ` (needs ${needs.join(', ')})` : ''}`)
    }
  }
}

/** @throws if the output of the script doesn't end with a URL */
function parseOrigin(printed: string): string {
  const line = printed.trim().split('\n').at(-1) ?? ''
  if (!/^https?:\/\//.test(line) || !URL.canParse(line)) {
    throw new Error(`The script of --url printed ${JSON.stringify(line)} instead of a URL.`)
  }
  return new URL(line).origin
}

async function openPage(browser: Browser | null, url: string) {
  if (!browser) throw new Error('No browser was found.')
  const page = await browser.newPage()
  await page.goto(url)
  return page
}
