import { buildLayout } from '../../shared/build.ts'

/** What Vite denies where `server.fs.deny` is not set: a value of its own takes their place. */
export const viteDenies = [
  '.env',
  '.env.*',
  '*.{crt,pem,key,p12,pfx,cer,der}',
  '.npmrc',
  '.yarnrc.yml',
  '**/.git/**',
]

/**
 * Keeps the dev server from serving anything of a build folder: it holds the key that seals what
 * actions close over, and the errors of visitors. The folders of other apps in the same workspace
 * are meant, too, since Vite serves all of it.
 * @param given `server.fs.deny` of the app's Vite configuration, to which Vite adds what is returned
 */
export function denyOptions(given: readonly string[] | undefined): string[] {
  const own = `**/${buildLayout.folder}/**`
  return given === undefined ? [...viteDenies, own] : [own]
}
