import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import type { App } from './harness/app.ts'
import { runWaymark } from './harness/commandLine.ts'
import { describeModes } from './harness/describeModes.ts'
import { holdRequests } from './harness/holdRequests.ts'
import { hydratedElement, openPage } from './harness/page.ts'

const modes = ['dev'] as const

function write(app: App, file: string, text: string): void {
  const path = join(app.root, file)
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
}

async function writeInTwoSteps(
  app: App,
  file: string,
  pause: number,
  change: (text: string) => string,
): Promise<void> {
  const path = join(app.root, file)
  const text = change(readFileSync(path, 'utf8'))
  writeFileSync(path, '')
  await setTimeout(pause)
  writeFileSync(path, text)
}

function headingOf(page: Page): Promise<string | null> {
  return page.locator('h1').textContent()
}

/** Returns the text of Vite's overlay, or an empty string if no overlay is open. */
function overlayText(page: Page): Promise<string> {
  return page.evaluate(() => {
    const root = document.querySelector('vite-error-overlay')?.shadowRoot
    const parts = root?.querySelectorAll('.message, .file, .frame, .stack') ?? []
    return [...parts].map((part) => part.textContent).join('\n')
  })
}

async function counted(page: Page): Promise<void> {
  await (await hydratedElement(page.getByRole('button'))).click()
  await expect.poll(() => page.getByRole('button').textContent()).toBe('Count 1')
}

describeModes('the dev server with an open page', { app: 'dev', modes }, (served) => {
  test('links styles of server and client components in the head', async () => {
    const html = await (await served.fetch('/')).text()
    const head = html.slice(0, html.indexOf('</head>'))
    expect(head).toMatch(/<link rel="stylesheet"[^>]*global\.css/)
    expect(head).toMatch(/<link rel="stylesheet"[^>]*counter\.module\.css/)
  })

  test('prints for each request how long it took', async () => {
    await (await served.fetch('/?said')).text()
    await expect
      .poll(() => served.app.logs())
      .toMatch(/^GET \/\?said=… 200 in \d+ ms( \(.*render \d+.*\))?$/m)
  })

  test('shows a changed server component, and preserves client state', async () => {
    const { page, expectQuietConsole } = await openPage(served.app)
    await page.goto('/')
    await counted(page)
    served.app.edit('app/greeting.ts', () => "export const greeting = 'Second greeting'\n")
    await expect.poll(() => headingOf(page)).toBe('Second greeting')
    expect(await page.getByRole('button').textContent()).toBe('Count 1')
    expectQuietConsole()
  })

  test('shows a changed client component, and preserves its state', async () => {
    const { page, expectQuietConsole } = await openPage(served.app)
    await page.goto('/')
    await counted(page)
    const labels = ['Count', 'Counted', 'Once', 'Twice', 'Total', 'Count']
    for (const [at, label] of labels.slice(1).entries()) {
      served.app.edit('app/counter.tsx', (text) => text.replace(`${labels[at]} {`, `${label} {`))
      await expect.poll(() => page.getByRole('button').textContent()).toBe(`${label} 1`)
      // Request the file as a Retry for missing code does. After that, the next edit must still be
      // shown.
      await page.evaluate(() => fetch(`/app/counter.tsx?t=${Date.now()}`).then((it) => it.text()))
    }
    expectQuietConsole()
  })

  test('shows changed styles', async () => {
    const { page } = await openPage(served.app)
    await page.goto('/')
    await counted(page)
    const colourOf = (selector: string) =>
      page.evaluate(
        (each) => getComputedStyle(document.querySelector(each) as Element).color,
        selector,
      )
    expect(await colourOf('h1')).toBe('rgb(1, 2, 3)')
    served.app.edit('app/global.css', (text) => text.replace('1, 2, 3', '7, 8, 9'))
    await expect.poll(() => colourOf('h1')).toBe('rgb(7, 8, 9)')
    served.app.edit('app/counter.module.css', (text) => text.replace('4, 5, 6', '9, 9, 9'))
    await expect.poll(() => colourOf('button')).toBe('rgb(9, 9, 9)')
    expect(await page.getByRole('button').textContent()).toBe('Count 1')
  })

  test('shows later edits if changed styles arrive after the page has stopped waiting', async () => {
    const { page } = await openPage(served.app)
    // Lets the test decide when the page stops waiting for stylesheets.
    await page.addInitScript(() => {
      const { setTimeout } = window
      const set = (act: (...args: unknown[]) => void, delayMs: number, ...args: unknown[]) => {
        if (args[0] !== document) return setTimeout(act, delayMs, ...args)
        Object.assign(window, { stopWaiting: () => act(document) })
        return 0
      }
      Object.assign(window, { setTimeout: set })
    })
    const styles = await holdRequests(page, /global\.css\?t=/)
    await page.goto('/')
    await counted(page)
    served.app.edit('app/global.css', (text) => `${text}h1 { margin: 3px; }\n`)
    await styles.held
    await page.evaluate('stopWaiting()')
    await styles.end('continue')
    await expect
      .poll(() => page.locator('h1').evaluate((h1) => getComputedStyle(h1).margin))
      .toBe('3px')
    served.app.edit('app/greeting.ts', () => "export const greeting = 'After the styles'\n")
    await expect.poll(() => headingOf(page)).toBe('After the styles')
  })

  test('shows files that an editor empties before it writes them', async () => {
    const { page } = await openPage(served.app)
    await page.goto('/')
    await counted(page)
    const colour = () =>
      page.getByRole('button').evaluate((button) => getComputedStyle(button).color)
    // Pause for less than 50 ms between the two steps of a write, because the watcher ignores a
    // change so soon after another one.
    for (const pause of [5, 15, 30, 45]) {
      await writeInTwoSteps(served.app, 'app/counter.module.css', pause, (text) =>
        text.replace(/rgb\([^)]*\)/, `rgb(${pause}, 0, 0)`),
      )
      await expect.poll(colour).toBe(`rgb(${pause}, 0, 0)`)
      await writeInTwoSteps(
        served.app,
        'app/greeting.ts',
        pause,
        () => `export const greeting = 'After ${pause} ms'\n`,
      )
      await expect.poll(() => headingOf(page)).toBe(`After ${pause} ms`)
    }
  })

  test('shows no overlay for temporary files', async () => {
    const { page, expectQuietConsole } = await openPage(served.app)
    await page.goto('/')
    await counted(page)
    // Replace the data file in one step, by renaming a new file, as some apps do.
    for (let n = 0; n < 40; n++) {
      write(served.app, `data/orders.json.${n}.next`, '{}')
      await setTimeout(2)
      renameSync(
        join(served.app.root, `data/orders.json.${n}.next`),
        join(served.app.root, 'data/orders.json'),
      )
    }
    served.app.edit('app/greeting.ts', () => "export const greeting = 'After the orders'\n")
    await expect.poll(() => headingOf(page)).toBe('After the orders')
    expect(await overlayText(page)).toBe('')
    expect(served.app.logs()).not.toContain('ENOENT')
    expectQuietConsole()
  })

  test('restarts for a new Vite configuration, and after that file was deleted', async () => {
    const statusOf = async () => (await served.fetch('/second')).status
    expect(await statusOf()).toBe(200)
    write(
      served.app,
      'vite.config.mjs',
      "import { waymark } from 'waymark/vite'\nexport default { plugins: [waymark({ trailingSlash: true })] }\n",
    )
    await expect.poll(statusOf, { timeout: 15_000 }).toBe(308)
    expect(served.app.logs()).toContain('vite.config.mjs was added. Restarting the dev server.')
    rmSync(join(served.app.root, 'vite.config.mjs'))
    await expect.poll(statusOf, { timeout: 15_000 }).toBe(200)
    expect(served.app.logs()).toContain('vite.config.mjs was deleted. Restarting the dev server.')
  })

  test('serves pages with packages that are installed while it runs', async () => {
    write(
      served.app,
      'app/installed/page.tsx',
      "import { Client } from 'later-client'\nimport { text } from 'later-server'\nexport default () => <h1>{text}<Client /></h1>\n",
    )
    await expect.poll(async () => (await served.fetch('/installed')).status).toBe(500)
    const manifest = JSON.stringify({ version: '1.0.0', type: 'module', exports: './index.js' })
    const code = {
      'later-server': "export const text = 'Server '\n",
      'later-client': "'use client'\nexport const Client = () => 'Client'\n",
    }
    for (const [name, text] of Object.entries(code)) {
      write(served.app, `node_modules/${name}/package.json`, manifest)
      write(served.app, `node_modules/${name}/index.js`, text)
    }
    const dependencies = { 'later-client': '1.0.0', 'later-server': '1.0.0' }
    const changed = { private: true, type: 'module', dependencies }
    write(served.app, 'package.json', JSON.stringify(changed))
    // npm writes this file at the end of an install.
    write(served.app, 'node_modules/.package-lock.json', '{}')
    const restart = 'Installed packages changed. Restarting the dev server.'
    await expect.poll(served.app.logs).toContain(restart)
    const html = async () => (await served.fetch('/installed')).text()
    await expect.poll(html, { timeout: 15_000 }).toMatch(/Server (?:<!-- -->)?Client/)
    rmSync(join(served.app.root, 'app/installed'), { recursive: true })
  })

  test('is named by a second dev server of the same folder', async () => {
    const { port, pid, root } = served.app
    const { exitCode, output } = await runWaymark(['dev', '--port', String(port)], root)
    expect(exitCode).toBe(1)
    expect(output).toContain(`already running at http://localhost:${port}, as process ${pid}`)
  })

  test('reports no error for files that are deleted and that no file imports', async () => {
    const { page, expectQuietConsole } = await openPage(served.app)
    write(served.app, 'app/unused/part.tsx', "'use client'\nexport const Part = () => 'part'\n")
    write(
      served.app,
      'app/unused/page.tsx',
      "import { Part } from './part.tsx'\nexport default () => <h1><Part /></h1>\n",
    )
    await expect.poll(async () => (await served.fetch('/unused')).status).toBe(200)
    await page.goto('/second')
    const before = served.app.logs().length
    rmSync(join(served.app.root, 'app/unused'), { recursive: true })
    await expect.poll(async () => (await served.fetch('/unused')).status).toBe(404)
    // The watcher reports changes in order, so this edit is shown after the deletion was processed.
    served.app.edit('app/greeting.ts', () => "export const greeting = 'After the deletion'\n")
    await page.goto('/')
    await expect.poll(() => headingOf(page)).toBe('After the deletion')
    expect(served.app.logs().slice(before)).not.toMatch(/Failed to load|does not exist|virtual:/)
    expect(await overlayText(page)).toBe('')
    expectQuietConsole()
  })

  test('serves a page once a file that it imports has been added', async () => {
    write(
      served.app,
      'app/later/page.tsx',
      "import { text } from './text.ts'\nexport default () => <h1>{text}</h1>\n",
    )
    await expect.poll(async () => (await served.fetch('/later')).status).toBe(500)
    write(served.app, 'app/later/text.ts', "export const text = 'Added'\n")
    await expect.poll(async () => (await served.fetch('/later')).status).toBe(200)
    rmSync(join(served.app.root, 'app/later/text.ts'))
    await expect.poll(async () => (await served.fetch('/later')).status).toBe(500)
    expect(served.app.logs()).toContain('app/later/page.tsx imports ./text.ts, which does not')
    write(served.app, 'app/later/text.ts', "export const text = 'Restored'\n")
    await expect.poll(async () => (await served.fetch('/later')).status).toBe(200)
    rmSync(join(served.app.root, 'app/later'), { recursive: true })
  })

  test('serves a new route, and stops serving a removed one', async () => {
    expect((await served.fetch('/added')).status).toBe(404)
    write(served.app, 'app/added/page.tsx', 'export default () => <h1>Added</h1>\n')
    await expect.poll(async () => (await served.fetch('/added')).status).toBe(200)
    rmSync(join(served.app.root, 'app/added'), { recursive: true })
    await expect.poll(async () => (await served.fetch('/added')).status).toBe(404)
  })

  test('serves a new metadata file, and stops serving a removed one', async () => {
    write(served.app, 'app/robots.ts', 'export default () => ({ rules: { disallow: "/x" } })\n')
    await expect.poll(async () => (await served.fetch('/robots.txt')).status).toBe(200)
    // Wait, because the watcher doesn't report a change within 50 ms of another one.
    await setTimeout(100)
    write(served.app, 'app/robots.ts', 'export const rules = {}\n')
    await expect.poll(async () => (await served.fetch('/robots.txt')).status).toBe(500)
    await expect
      .poll(served.app.logs)
      .toContain('app/robots.ts has no function as its default export.')
    rmSync(join(served.app.root, 'app/robots.ts'))
    await expect.poll(async () => (await served.fetch('/robots.txt')).status).toBe(404)
  })
})

describeModes('the overlay of the dev server', { app: 'dev', modes }, (served) => {
  test('shows where a page throws, and closes when the error is fixed', async () => {
    const { page } = await openPage(served.app)
    await page.goto('/second')
    await hydratedElement(page.locator('h1'))
    served.app.edit('app/second/page.tsx', (text) =>
      text.replace('  return', "  throw new Error('out of paper')\n  return"),
    )
    await expect.poll(() => overlayText(page)).toContain('out of paper')
    expect(await overlayText(page)).toMatch(/second\/page\.tsx:2:\d+/)
    await page.reload()
    await expect.poll(() => overlayText(page)).toContain("2 |   throw new Error('out of paper')")
    served.app.edit('app/second/page.tsx', (text) =>
      text.replace("  throw new Error('out of paper')\n", ''),
    )
    await expect.poll(() => headingOf(page)).toBe('Second page')
    await expect.poll(() => overlayText(page)).toBe('')
  })

  test('stays if the server reports the change after the page was requested', async () => {
    const { page } = await openPage(served.app)
    let send = (_message: string) => {}
    await page.routeWebSocket(/.*/, (socket) => {
      socket.connectToServer()
      send = (message) => socket.send(message)
    })
    let documents = 0
    page.on('request', (request) => {
      if (request.isNavigationRequest()) documents++
    })
    served.app.edit('app/greeting.ts', (text) => `${text}throw new Error('The greeting fails')\n`)
    await expect.poll(async () => (await served.fetch('/')).status).toBe(500)
    await page.goto('/')
    await expect.poll(() => overlayText(page)).toContain('The greeting fails')
    const documentsBefore = documents
    send(JSON.stringify({ type: 'custom', event: 'rsc:update', data: { file: 'greeting.ts' } }))
    await expect.poll(() => documents).toBeGreaterThan(documentsBefore)
    await expect.poll(() => overlayText(page)).toContain('The greeting fails')
    served.app.edit('app/greeting.ts', (text) => text.replace(/throw .*\n/, ''))
    await expect.poll(() => page.getByRole('button').textContent()).toBe('Count 0')
    expect(await overlayText(page)).toBe('')
  })

  test("shows a file that can't be parsed", async () => {
    const { page } = await openPage(served.app)
    served.app.edit('app/second/page.tsx', (text) => text.replace('return <h1>', 'return <h1'))
    await expect.poll(async () => (await served.fetch('/second')).status).toBe(500)
    await page.goto('/second')
    await expect.poll(() => overlayText(page)).toContain('second/page.tsx')
    served.app.edit('app/second/page.tsx', (text) => text.replace('return <h1', 'return <h1>'))
    await expect.poll(() => headingOf(page)).toBe('Second page')
    expect(await overlayText(page)).toBe('')
  })

  test("shows a client component that can't be parsed", async () => {
    const { page } = await openPage(served.app)
    await page.goto('/')
    await hydratedElement(page.getByRole('button'))
    served.app.edit('app/counter.tsx', (text) => text.replace('useState(0)', 'useState(0'))
    await expect.poll(() => overlayText(page)).toContain('counter.tsx')
    await page.reload()
    await expect.poll(() => overlayText(page)).toContain('counter.tsx')
    served.app.edit('app/counter.tsx', (text) => text.replace('useState(0', 'useState(0)'))
    await expect.poll(() => page.getByRole('button').textContent()).toBe('Count 0')
    await expect.poll(() => overlayText(page)).toBe('')
  })

  test('names the files of conflicting routes', async () => {
    const { page } = await openPage(served.app)
    await page.goto('/')
    write(served.app, 'app/(other)/second/page.tsx', 'export default () => <h1>Other</h1>\n')
    await expect.poll(async () => (await served.fetch('/second')).status).toBe(500)
    await page.goto('/second')
    await expect
      .poll(() => overlayText(page))
      .toMatch(/Two files match \/second: .*app\/\(other\)\/second\/page\.tsx/)
    rmSync(join(served.app.root, 'app/(other)'), { recursive: true })
    await expect.poll(() => headingOf(page)).toBe('Second page')
    expect(await overlayText(page)).toBe('')
  })

  // Waymark only writes the types of routes if a tsconfig.json exists.
  test('warns once about a slot without default, and keeps its pages and route types', async () => {
    write(served.app, 'tsconfig.json', '{}')
    const logged = served.app.logs().length
    const layout = 'export default ({ children }) => children\n'
    write(served.app, 'app/trails/layout.tsx', layout)
    write(served.app, 'app/trails/page.tsx', 'export default () => <h1>Trails</h1>\n')
    write(served.app, 'app/trails/@map/far/page.tsx', layout)
    const statusOf = async (path: string) => (await served.fetch(path)).status
    await expect.poll(() => statusOf('/trails')).toBe(200)
    const warnings = () =>
      served.app
        .logs()
        .slice(logged)
        .match(/slot @map has no page at \/trails/g)
    await expect.poll(warnings).toHaveLength(1)
    write(served.app, 'app/trails/near/page.tsx', layout)
    await expect.poll(() => statusOf('/trails/near')).toBe(200)
    const types = () => readFileSync(join(served.app.root, 'waymark-routes.d.ts'), 'utf8')
    await expect.poll(types).toContain('trails/near')
    expect(warnings()).toHaveLength(1)
  })
})
