import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { buildRouteTree } from '../../routing/testing/buildRouteTree.ts'
import { findPublicConflict } from './routesPlugin.ts'

let publicDir = ''
beforeAll(() => {
  publicDir = mkdtempSync(path.join(tmpdir(), 'public-'))
  writeFileSync(path.join(publicDir, 'robots.txt'), '')
})
afterAll(() => rmSync(publicDir, { recursive: true, force: true }))

test('the error for a public file at the URL of a metadata file names both', () => {
  const conflict = findPublicConflict(buildRouteTree(['robots.ts']), publicDir)
  expect(conflict?.code).toBe('ROUTE_CONFLICT')
  expect(conflict?.message).toContain(
    `Two files match /robots.txt: app/robots.ts and ${path.basename(publicDir)}/robots.txt.`,
  )
})

test.each([['sitemap.ts'], ['[locale]/sitemap.ts'], ['robots.txt/route.ts']])(
  '%s causes no conflict',
  (file) => {
    expect(findPublicConflict(buildRouteTree([file]), publicDir)).toBeNull()
  },
)

test('an app without a public folder has no conflict', () => {
  expect(findPublicConflict(buildRouteTree(['robots.ts']), '')).toBeNull()
})
