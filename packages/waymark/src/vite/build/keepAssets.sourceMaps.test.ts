import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { keepSourceMaps } from './keepAssets.ts'

function buildWith(...files: string[]): string {
  const buildDir = mkdtempSync(path.join(tmpdir(), 'maps-'))
  onTestFinished(() => rmSync(buildDir, { recursive: true }))
  for (const file of files) {
    mkdirSync(path.join(buildDir, path.dirname(file)), { recursive: true })
    writeFileSync(path.join(buildDir, file), file)
  }
  return buildDir
}

const asset = 'client/_waymark/assets/a-abcdefgh.js'

test('maps leave the files that are served, and are kept by build', async () => {
  const files = ['rsc/index.js', 'rsc/_waymark/assets/b.js', 'ssr/index.js', asset]
  const buildDir = buildWith(...files, ...files.map((file) => `${file}.map`))
  await keepSourceMaps(buildDir, 'b1')
  for (const file of files) expect(existsSync(path.join(buildDir, `${file}.map`))).toBe(false)
  for (const file of files) expect(existsSync(path.join(buildDir, file))).toBe(true)
  for (const file of files)
    expect(existsSync(path.join(buildDir, `maps/b1/${file}.map`))).toBe(true)
  expect(readdirSync(path.join(buildDir, 'maps'))).toEqual(['b1'])
})

test('files of the app itself stay', async () => {
  const buildDir = buildWith('client/vendor.js.map', 'client/_waymark/assets/data.map')
  await keepSourceMaps(buildDir, 'b1')
  expect(existsSync(path.join(buildDir, 'client/vendor.js.map'))).toBe(true)
  expect(existsSync(path.join(buildDir, 'client/_waymark/assets/data.map'))).toBe(true)
})

test('a build without maps, made twice, is no mistake', async () => {
  const buildDir = buildWith()
  await keepSourceMaps(buildDir, 'b1')
  await keepSourceMaps(buildDir, 'b1')
  expect(readdirSync(path.join(buildDir, 'maps'))).toEqual(['b1'])
})

test('maps of old builds are forgotten', async () => {
  const buildDir = buildWith(...[1, 2, 3, 4, 5, 6].map((at) => `maps/b${at}/x`))
  for (const at of [1, 2, 3, 4, 5, 6]) utimesSync(path.join(buildDir, `maps/b${at}`), at, at)
  await keepSourceMaps(buildDir, 'b7')
  expect(readdirSync(path.join(buildDir, 'maps')).sort()).toEqual(['b3', 'b4', 'b5', 'b6', 'b7'])
})
