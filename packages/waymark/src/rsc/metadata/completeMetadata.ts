import type { AlternateLink, Alternates, Icon, Icons, Metadata, Viewport } from './metadata.ts'
import type { Many, Twitter, UrlInput } from './openGraph.ts'
import { listOf } from './values.ts'

/** Reports a value that is left out, because a part of it is missing. */
export type ReportIncomplete = (field: string, value: unknown, missing: string) => void

/**
 * Creates a function that warns about incomplete values: once for each file and field, because the
 * metadata of many pages comes from one file.
 */
export function createIncompleteWarnings(
  write: (line: string) => void,
): (file: string) => ReportIncomplete {
  const reported = new Set<string>()
  return (file) => (field, value, missing) => {
    const place = `app/${file}: ${field}`
    if (reported.has(place)) return
    reported.add(place)
    const text = String(JSON.stringify(value)).slice(0, 100)
    write(
      `${place} contains ${text}, which has no ${missing}, so the page's head doesn't include it. Set ${missing}, or remove the value.`,
    )
  }
}

/**
 * Leaves out values for which no tag can be written, such as an image without a URL. Such values
 * come from data in which fields are missing, so they may not have the types of `Metadata`. `null`,
 * `undefined` and empty strings in lists aren't reported.
 */
export function completeMetadata(metadata: Metadata, report: ReportIncomplete): Metadata {
  const { authors, alternates, icons, openGraph, twitter, appleWebApp, itunes } = metadata
  const complete = createCompleter(report)
  return {
    ...metadata,
    ...(authors && { authors: listOf(authors).filter(isPresent) }),
    ...(alternates && { alternates: completeAlternates(alternates, complete) }),
    ...(icons && { icons: completeIcons(icons, complete) }),
    ...(openGraph && {
      openGraph: {
        ...openGraph,
        images: complete.list('openGraph.images', openGraph.images, 'url'),
        videos: complete.list('openGraph.videos', openGraph.videos, 'url'),
        audio: complete.list('openGraph.audio', openGraph.audio, 'url'),
      },
    }),
    ...(twitter && { twitter: completeTwitter(twitter, complete) }),
    ...(typeof appleWebApp === 'object' && {
      appleWebApp: appleWebApp && {
        ...appleWebApp,
        startupImage: complete.list('appleWebApp.startupImage', appleWebApp.startupImage, 'url'),
      },
    }),
    ...(itunes && { itunes: complete.value('itunes', itunes, 'appId') }),
  }
}

/** The same for the viewport. */
export function completeViewport(viewport: Viewport, report: ReportIncomplete): Viewport {
  const { themeColor } = viewport
  if (!themeColor || typeof themeColor === 'string') return viewport
  const { list } = createCompleter(report)
  return { ...viewport, themeColor: list('themeColor', themeColor, 'color') }
}

type Completer = ReturnType<typeof createCompleter>

/** @returns functions that leave out values without a required field */
function createCompleter(report: ReportIncomplete) {
  function isComplete(field: string, value: unknown, required: string): boolean {
    if (!isPresent(value)) return false
    if (typeof value === 'string' || value instanceof URL) return true
    if (isPresent((value as Readonly<Record<string, unknown>>)[required])) return true
    report(field, value, required)
    return false
  }

  return {
    list<T>(
      field: string,
      values: Many<T> | null | undefined,
      required: string,
    ): readonly T[] | null | undefined {
      if (values === null) return null
      if (values === undefined) return undefined
      return listOf<T>(values).filter((value) => isComplete(field, value, required))
    },
    value<T>(field: string, value: T, required: string): T | undefined {
      return isComplete(field, value, required) ? value : undefined
    },
  }
}

function isPresent(value: unknown): boolean {
  return value !== null && value !== undefined && value !== '' && value !== false
}

function completeAlternates(alternates: Alternates, complete: Completer): Alternates {
  const group = (name: 'languages' | 'media' | 'types') => {
    const groups = Object.entries(alternates[name] ?? {}).map(([key, links]) => [
      key,
      complete.list<UrlInput | AlternateLink>(`alternates.${name}`, links, 'url'),
    ])
    return Object.fromEntries(groups)
  }
  return {
    canonical: complete.value('alternates.canonical', alternates.canonical, 'url'),
    languages: group('languages'),
    media: group('media'),
    types: group('types'),
  }
}

function completeIcons(
  icons: NonNullable<Metadata['icons']>,
  complete: Completer,
): Metadata['icons'] {
  if (typeof icons === 'string' || icons instanceof URL || Array.isArray(icons)) {
    return complete.list<Icon>('icons', icons as Many<Icon>, 'url') ?? []
  }
  // `Array.isArray` doesn't exclude readonly arrays from the type, so cast.
  const { icon, shortcut, apple, other } = icons as Icons
  return {
    icon: complete.list('icons.icon', icon, 'url'),
    shortcut: complete.list('icons.shortcut', shortcut, 'url'),
    apple: complete.list('icons.apple', apple, 'url'),
    other: complete.list('icons.other', other, 'url'),
  }
}

function completeTwitter(twitter: Twitter, complete: Completer): Twitter {
  const { images, players, app } = twitter
  return {
    ...twitter,
    images: complete.list('twitter.images', images, 'url'),
    players: complete.list('twitter.players', players, 'playerUrl'),
    app: app && complete.value('twitter.app', app, 'id'),
  }
}
