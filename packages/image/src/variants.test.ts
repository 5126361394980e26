import { copyFileSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'
import { describe, expect, onTestFinished, test } from 'vitest'
import { withPngChunk } from './testing/hostileImages.ts'
import { createVariants, listVariants } from './variants.ts'

function project(): string {
  const root = mkdtempSync(join(tmpdir(), 'waymark-images-'))
  onTestFinished(() => rmSync(root, { recursive: true }))
  return root
}

const canvas = (width: number, height: number, alpha = 1) =>
  sharp({ create: { width, height, channels: 4, background: { r: 90, g: 120, b: 40, alpha } } })

describe('the facts of an image', () => {
  test('are its size after rotation, its format and a placeholder', async () => {
    const root = project()
    const file = join(root, 'a photo.jpg')
    await canvas(300, 200).jpeg().withMetadata({ orientation: 6 }).toFile(file)
    const image = await createVariants({ root }).open(file)
    expect(image).toMatchObject({ width: 200, height: 300, format: 'jpeg', name: 'a-photo' })
    expect(image.placeholder).toMatch(/^data:image\/webp;base64,/)
    expect(image.placeholder?.length).toBeLessThan(250)
  })

  test('have no placeholder if parts are transparent', async () => {
    const root = project()
    await canvas(300, 200, 0.5).png().toFile(join(root, 'glass.png'))
    expect((await createVariants({ root }).open(join(root, 'glass.png'))).placeholder).toBeNull()
  })

  test.each([
    [
      'an SVG',
      '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>',
      /format is svg, but only/,
    ],
    ['a text', 'nothing to see', /unsupported image format/],
  ])('%s is refused', async (_, content, message) => {
    const root = project()
    writeFileSync(join(root, 'a.jpg'), content)
    await expect(createVariants({ root }).open(join(root, 'a.jpg'))).rejects.toThrow(message)
  })
})

test.each(['png', 'webp'] as const)('an animated %s is refused', async (format) => {
  const root = project()
  const file = join(root, `a.${format}`)
  if (format === 'png') {
    // Content of the chunk: three frames that repeat forever.
    const control = Buffer.from([0, 0, 0, 3, 0, 0, 0, 0])
    const still = await canvas(40, 40).png().toBuffer()
    writeFileSync(file, withPngChunk(still, 'acTL', control))
  } else {
    const frames = [canvas(40, 40), canvas(40, 40, 0.5)].map((frame) => frame.png().toBuffer())
    await sharp(await Promise.all(frames), { join: { animated: true } })
      .webp()
      .toFile(file)
  }
  await expect(createVariants({ root }).open(file)).rejects.toThrow('is animated')
})

describe('variants', () => {
  test('have no metadata of the camera', async () => {
    const root = project()
    const file = join(root, 'gps.jpg')
    const exif = { IFD0: { Copyright: 'SECRET' }, IFD3: { GPSLatitude: '52/1 30/1 0/1' } }
    await canvas(60, 40).jpeg().withExif(exif).withIccProfile('p3').toFile(file)
    const variants = createVariants({ root })
    const image = await variants.open(file)
    for (const format of ['jpeg', 'webp', 'avif'] as const) {
      const written = await variants.write(image, { width: 60, format })
      const { exif: left, icc, xmp } = await sharp(written).metadata()
      expect([left, icc, xmp]).toEqual([undefined, undefined, undefined])
    }
  })

  test('are created once, even for concurrent requests, and stay for the next build', async () => {
    const root = project()
    const file = join(root, 'ridge.png')
    await canvas(700, 350).png().toFile(file)
    const first = createVariants({ root })
    const image = await first.open(file)
    const webp = { width: 320, format: 'webp' } as const
    const [path, same] = await Promise.all([first.write(image, webp), first.write(image, webp)])
    expect(same).toBe(path)
    expect(await sharp(path).metadata()).toMatchObject({ format: 'webp', width: 320, height: 160 })
    const madeAt = statSync(path).mtimeMs
    const second = createVariants({ root })
    expect(await second.write(await second.open(file), webp)).toBe(path)
    expect(statSync(path).mtimeMs).toBe(madeAt)
    expect(readdirSync(join(path, '..')).sort()).toEqual(['facts.json', 'ridge-320.webp'])
  })

  test('depend on the content, so another file with the same name has its own', async () => {
    const root = project()
    const file = join(root, 'a.png')
    await canvas(40, 40).png().toFile(file)
    const variants = createVariants({ root })
    const before = await variants.open(file)
    copyFileSync(file, join(root, 'b.png'))
    await canvas(41, 40).png().toFile(file)
    expect((await variants.open(file)).hash).not.toBe(before.hash)
    expect((await variants.open(join(root, 'b.png'))).hash).toBe(before.hash)
  })

  test.each([
    [100, [100], 100],
    [640, [160, 320, 480, 640], 640],
    [5000, [160, 320, 480, 640, 960, 1280, 1920, 2560, 3840], 1920],
  ])('of an image %i px wide are not wider than the image', (width, widths, plain) => {
    const image = { width, height: 10, format: 'jpeg', placeholder: null } as const
    const listed = listVariants(image, false)
    expect(listed.webp.map(({ width }) => width)).toEqual(widths)
    expect(listed.plain).toEqual({ width: plain, format: 'jpeg' })
    expect(listed.avif).toBeNull()
  })
})
