import type {
  AlternateLink,
  Alternates,
  Icon,
  IconObject,
  Icons,
  MetadataFields,
  ResolvedAlternates,
  ResolvedIcons,
} from '../../shared/metadata.ts'
import type { Many, UrlInput } from '../../shared/metadataValues.ts'
import { listOf } from './listOf.ts'
import { absolutePageUrl, type UrlBase } from './url.ts'

/** Makes the URLs of `alternates` absolute. */
export function resolveAlternates(alternates: Alternates, base: UrlBase): ResolvedAlternates {
  const resolved: ResolvedAlternates = {}
  if (alternates.canonical) resolved.canonical = resolveLink(alternates.canonical, base)
  for (const group of ['languages', 'media', 'types'] as const) {
    const links = alternates[group]
    if (links) resolved[group] = resolveGroup(links, base)
  }
  return resolved
}

/**
 * Sorts icons by their use; one icon or a list means `icon`.
 * Their URLs stay as they are: the browser resolves them, and the page's own host is right.
 */
export function resolveIcons(icons: MetadataFields['icons']): ResolvedIcons {
  if (typeof icons === 'string' || icons instanceof URL || Array.isArray(icons)) {
    return { icon: iconList(icons as Many<Icon>) }
  }
  const byUse = icons as Icons
  const resolved: ResolvedIcons = {}
  for (const use of ['icon', 'shortcut', 'apple', 'other'] as const) {
    const icon = byUse[use]
    if (icon) resolved[use] = iconList(icon)
  }
  return resolved
}

function resolveGroup(
  links: NonNullable<Alternates['languages']>,
  base: UrlBase,
): Record<string, AlternateLink[]> {
  const resolved: Record<string, AlternateLink[]> = {}
  for (const [key, value] of Object.entries(links)) {
    if (value)
      resolved[key] = listOf<UrlInput | AlternateLink>(value).map((link) => resolveLink(link, base))
  }
  return resolved
}

function resolveLink(link: UrlInput | AlternateLink, base: UrlBase): AlternateLink {
  if (typeof link === 'string' || link instanceof URL) return { url: absolutePageUrl(link, base) }
  return { ...link, url: absolutePageUrl(link.url, base) }
}

function iconList(icons: Many<Icon>): IconObject[] {
  return listOf(icons).map((icon) =>
    typeof icon === 'string' || icon instanceof URL ? { url: icon } : icon,
  )
}
