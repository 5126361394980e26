import { describe, expect, test } from 'vitest'
import { allFileTypes, detectFileType, safeFileName } from './fileTypes.ts'

const latin1 = (text: string) => new Blob([Buffer.from(text, 'latin1')])

const samples: Readonly<Record<string, string>> = {
  'image/jpeg': '\xff\xd8\xff\xe0\x00\x10JFIF',
  'image/png': '\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR',
  'image/gif': 'GIF89a\x01\x00',
  'image/webp': 'RIFF\x24\x00\x00\x00WEBPVP8 ',
  'image/avif': '\x00\x00\x00\x1cftypmif1\x00\x00\x00\x00mif1avifmiaf',
  'image/heic': '\x00\x00\x00\x18ftypheic\x00\x00\x00\x00mif1heic',
  'application/pdf': '%PDF-1.7\n',
  'application/zip': 'PK\x03\x04\x14\x00',
  'audio/mpeg': 'ID3\x04\x00',
  'audio/wav': 'RIFF\x24\x00\x00\x00WAVEfmt ',
  'audio/ogg': 'OggS\x00\x02',
  'audio/mp4': '\x00\x00\x00\x1cftypM4A \x00\x00\x02\x00M4A isom',
  'video/mp4': '\x00\x00\x00\x18ftypisom\x00\x00\x02\x00isommp41',
  'video/quicktime': '\x00\x00\x00\x14ftypqt  \x00\x00\x02\x00qt  ',
  'video/webm': '\x1aE\xdf\xa3\x9fB\x86\x81\x01B\x82\x84webm',
}

test.each(Object.entries(samples))('%s is recognised by its first bytes', async (type, text) => {
  expect(await detectFileType(latin1(text))).toBe(type)
})

test('each known type has a sample', () => {
  expect(Object.keys(samples).sort()).toEqual([...allFileTypes].sort())
})

describe('a file that only claims to be one', () => {
  test.each([
    ['nothing', ''],
    ['a page', '<!doctype html><script>alert(1)</script>'],
    ['a picture with scripts', '<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>'],
    ['a PDF with a page before it', '<script>alert(1)</script>%PDF-1.7'],
    ['a cut PNG', '\x89PN'],
    ['a Matroska film', '\x1aE\xdf\xa3\x9fB\x86\x81\x01B\x82\x88matroska'],
    ['an ISO file of an unknown brand', '\x00\x00\x00\x14ftypevil\x00\x00\x00\x00evil'],
    ['an ISO file whose size is a lie', '\xff\xff\xff\xffftypevil'],
    ['a program', 'MZ\x90\x00'],
  ])('%s has no known type', async (_, text) => {
    expect(await detectFileType(latin1(text))).toBeNull()
  })
})

test.each([
  ['holiday.png', 'image/png', 'holiday.png'],
  ['IMG_1.JPEG', 'image/jpeg', 'IMG_1.jpeg'],
  ['evil.html', 'image/png', 'evil.png'],
  ['evil.php.png', 'image/png', 'evil.php.png'],
  ['../../etc/passwd', 'image/png', 'passwd.png'],
  ['..\\..\\boot.ini', null, 'boot.ini'],
  ['a\0b\r\nset-cookie: x=1.png', 'image/png', 'abset-cookie x=1.png'],
  ['photo\u202Egnp.exe', 'image/png', 'photognp.png'],
  ['.htaccess', null, 'file.htaccess'],
  ['..', null, 'file.'],
  ['', 'application/pdf', 'file.pdf'],
  ['日本語 résumé.pdf', 'application/pdf', '日本語 résumé.pdf'],
  [`${'x'.repeat(300)}.png`, 'image/png', `${'x'.repeat(100)}.png`],
] as const)('the file name %j of a %s becomes %j', (sent, type, expected) => {
  expect(safeFileName(sent, type)).toBe(expected)
})

test.each([
  ['spaces', ' '],
  ['dots', '.'],
  ['marks that normalisation sorts', '\u0301\u0323'],
])('a very long name of %s takes little time', (_, text) => {
  const name = `x${text.repeat(500_000)}x.png`
  const startedAtMs = performance.now()
  expect(safeFileName(name, 'image/png')).toMatch(/\.png$/)
  expect(performance.now() - startedAtMs).toBeLessThan(500)
})
