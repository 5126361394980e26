import { randomBytes } from 'node:crypto'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { buildLayout } from '../../shared/build.ts'

/**
 * The secret of a build that was given none: made once, and kept beside the build for those that
 * follow, so that pages of an older one stay usable.
 * @param onMade called when it was made, and no build before it has one like it
 * @returns `null` where `WAYMARK_SECRET` is set: then the build holds no secret
 */
export async function buildSecret(
  buildDir: string,
  env: Readonly<Record<string, string | undefined>>,
  onMade: () => void = () => {},
): Promise<string | null> {
  if (env.WAYMARK_SECRET?.trim()) return null
  const file = path.join(buildDir, buildLayout.secret)
  const kept = await readFile(file, 'utf8').catch(() => '')
  if (kept.length >= 32) return kept
  const made = randomBytes(32).toString('base64url')
  await mkdir(buildDir, { recursive: true })
  // For its owner alone.
  await writeFile(file, made, { mode: 0o600 })
  onMade()
  return made
}
