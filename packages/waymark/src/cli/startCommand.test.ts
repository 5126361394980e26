import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import type { BuildManifest } from '../builds/buildManifest.ts'
import { startBuild } from './startCommand.ts'
import { processTerminal } from './terminal.ts'

test('more than one process needs a package, and the error says which', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'waymark-start-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const manifest = { externals: [] as readonly string[], waymark: '0.1.0' } as BuildManifest
  const input = { options: { workers: 2 }, terminal: processTerminal() }
  const starting = startBuild({ root: folder, folder, manifest }, input)
  await expect(starting).rejects.toMatchObject({
    code: 'PACKAGE_NOT_LISTED',
    message: expect.stringMatching(
      /^--workers needs .* Run npm install @waymark\/operations, and .* Then build the app again\./,
    ),
  })
})
