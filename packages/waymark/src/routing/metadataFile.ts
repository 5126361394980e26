import { frameworkError } from '../shared/errors.ts'

/** A kind of file that says something about the app to machines: `sitemap.ts`. */
export type MetadataFileKind = keyof typeof urlNames

/** The last segment of the URL that each kind answers. */
const urlNames = {
  sitemap: 'sitemap.xml',
  robots: 'robots.txt',
  manifest: 'manifest.webmanifest',
} as const

const fileName = /(?:^|\/)(sitemap|robots|manifest)\.(?:ts|js)$/

/**
 * Tells what kind of metadata file a path is.
 * @returns `null` for any other file
 */
export function metadataFileKind(path: string): MetadataFileKind | null {
  return (fileName.exec(path)?.[1] as MetadataFileKind | undefined) ?? null
}

/**
 * The last segment of the URL of a metadata file.
 * @param file relative to the app folder
 * @throws `METADATA_FILE_PLACE` when a kind that belongs to the whole site stands in a folder
 */
export function metadataUrlName(file: string, kind: MetadataFileKind): string {
  // Crawlers look for robots.txt at the root only (RFC 9309 §2.3), and an app has one manifest.
  if (kind !== 'sitemap' && file.includes('/')) {
    throw frameworkError('METADATA_FILE_PLACE', { file: `app/${file}`, kind })
  }
  return urlNames[kind]
}
