import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { copyApp } from './harness/appFolder.ts'
import { runWaymark } from './harness/commandLine.ts'

let root = ''
beforeAll(() => {
  root = copyApp({ app: 'accessibility' })
  return () => rmSync(root, { recursive: true, force: true })
})

const readContract = () => readFileSync(join(root, 'contract.txt'), 'utf8')

/** Reads the accessibility of an entry, such as `page /orders`, from the contract. */
function accessibilityOf(title: string): string | undefined {
  const [, block = ''] = `\n${readContract()}`.split(`\n${title}\n`)
  return /^ {2}accessibility: (.*)$/m.exec(block.split('\n\n')[0] ?? '')?.[1]
}

test('the contract has the violations of pages and of their screens', async () => {
  const { output, exitCode } = await runWaymark(['contract'], root)
  expect(exitCode, output).toBe(0)
  expect(accessibilityOf('page /')).toBe('no violations')
  expect(accessibilityOf('page /orders')).toBe('button-name (1)')
  expect(accessibilityOf('screen loading /orders')).toBe('color-contrast (1)')
  expect(accessibilityOf('screen error /orders')).toBe('image-alt (1)')
  expect(accessibilityOf('screen not-found /')).toBe('no violations')
  expect(output).toContain('/orders: button-name, 1 element: button. Buttons must have')

  const written = readContract()
  const skipped = await runWaymark(['contract', '--skip', 'accessibility'], root)
  expect(skipped.exitCode, skipped.output).toBe(0)
  expect(readContract()).toBe(written)
})

test('without a browser, the contract says that accessibility was not checked', async () => {
  const { output, exitCode } = await runWaymark(['contract'], root, { WAYMARK_BROWSER: 'missing' })
  expect(exitCode, output).toBe(0)
  expect(accessibilityOf('page /orders')).toBeUndefined()
  expect(accessibilityOf('not proven')).toBe(
    'no browser was found; install Chromium or Chrome, or set WAYMARK_BROWSER to its path',
  )
})

test('a page above its budget fails the check', async () => {
  writeFileSync(join(root, 'contract.config.ts'), "export default { budget: { '/help': 1_000 } }\n")
  const { output, exitCode } = await runWaymark(
    ['contract', '--check', '--skip', 'accessibility'],
    root,
  )
  expect(exitCode, output).toBe(1)
  expect(output).toMatch(
    /\/help needs [\d.]+ kB of script before it is interactive, [\d.]+ kB more than its budget\..* app\/help\/page\.tsx/,
  )
})
