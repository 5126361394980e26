import { copyFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { copyApp } from './harness/appFolder.ts'
import { runWaymark } from './harness/commandLine.ts'
import { appSource } from './harness/paths.ts'

const config = `import { i18n } from '@waymark/i18n/vite'
import { waymark } from 'waymark/vite'

export default {
  plugins: [waymark(), i18n({ locales: ['en', 'ar', 'ja'], prefix: 'as-needed', checks: 'off' })],
}
`

const card = `import { readFileSync } from 'node:fs'
import { ImageResponse } from '@waymark/image/og'
import { getTranslations } from '@waymark/i18n/server'

const box = { name: 'Box', data: readFileSync('box.ttf') }

type Props = { params: Promise<{ locale: string }> }

export default async function Card({ params }: Props) {
  const { locale } = await params
  const title = getTranslations('home')('title')
  return new ImageResponse(<p>{title}</p>, {
    width: 100,
    height: 50,
    fonts: locale === 'ja' ? [box] : [],
  })
}
`

test('a build names the font, the script and the URL of a card with missing characters', async () => {
  const root = copyApp({
    app: 'i18n',
    files: {
      'vite.config.ts': config,
      'messages/ja.json': '{ "home": { "title": "おはよう 世界" } }',
      'app/[locale]/opengraph-image.tsx': card,
    },
  })
  onTestFinished(() => rmSync(root, { recursive: true, force: true }))
  copyFileSync(join(appSource('assets'), 'app/_files/box.ttf'), join(root, 'box.ttf'))
  const { exitCode, output } = await runWaymark(['build'], root)
  expect(exitCode).toBe(0)
  const lines = output.split('\n').filter((line) => line.includes('empty boxes'))
  expect(lines.sort()).toEqual([
    expect.stringMatching(
      /^The built-in font of ImageResponse can't draw some characters of the card \/ar\/opengraph-image\/image\.png, .*\(Arabic\), in the text "صباح الخير"/,
    ),
    expect.stringMatching(
      /^The font Box can't draw some characters of the card \/ja\/opengraph-image\/image\.png, .*\(Hiragana, Han\), in the text "おはよう 世界"/,
    ),
  ])
})
