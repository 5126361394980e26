import { describe, expect, test } from 'vitest'
import { neededBytes, problemsOf, type ShownImage } from './measureImages.ts'

const fitting: ShownImage = {
  url: '/a.webp',
  bytes: 100_000,
  fileWidth: 1000,
  fileHeight: 500,
  width: 500,
  height: 250,
  hasMeasures: true,
  lacksSizes: false,
  isLate: false,
}

test.each<[string, Partial<ShownImage>, number, number]>([
  ['of the very size', {}, 2, 100_000],
  ['of twice the width', {}, 1, 25_000],
  ['too small', { width: 2000, height: 1000 }, 1, 100_000],
  ['shown cropped: the larger side counts', { width: 250, height: 250 }, 1, 25_000],
  ['hidden', { width: 0, height: 0 }, 1, 0],
  ['that can not be shown', { fileWidth: 0, fileHeight: 0, bytes: 7 }, 1, 7],
])('bytes that are needed of an image %s', (_, image, density, bytes) => {
  expect(neededBytes({ ...fitting, ...image }, density)).toBe(bytes)
})

describe('problems of an image', () => {
  test.each<[string, Partial<ShownImage>, readonly string[]]>([
    ['one that fits', {}, []],
    ['the next larger variant', { fileWidth: 1500, fileHeight: 750 }, []],
    ['one for a larger screen', { fileWidth: 2000, fileHeight: 1000 }, ['too-large']],
    ['a small one', { fileWidth: 2000, fileHeight: 1000, bytes: 9_000 }, []],
    [
      'all but the size',
      { isLate: true, lacksSizes: true, hasMeasures: false },
      ['late', 'sizes', 'measures'],
    ],
    ['a broken one', { fileWidth: 0, fileHeight: 0, isLate: true }, ['broken']],
  ])('%s', (_, image, kinds) => {
    expect(problemsOf({ ...fitting, ...image }, 2).map(({ kind }) => kind)).toEqual(kinds)
  })
})
