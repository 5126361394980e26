import type { IncomingMessage, ServerResponse } from 'node:http'
import type {
  LayoutPattern,
  Metadata,
  ParamsOf,
  ResolvingMetadata,
  ResolvingViewport,
  RobotsFile,
  RoutePattern,
  Sitemap,
  Viewport,
  LayoutProps as WaymarkLayoutProps,
  PageProps as WaymarkPageProps,
  WebManifest,
} from 'waymark'
import type { Instrumentation as AppInstrumentation } from 'waymark/server'

import type { NextFetchOptions } from './fetchOptions.ts'

export type { ResolvedMetadata, ResolvedViewport } from 'waymark'
export type { NextConfig } from './nextConfig.ts'
export type { NextMiddleware, NextProxy } from './server.ts'
export type { Metadata, ResolvingMetadata, ResolvingViewport, Viewport }

/** Types for the metadata files that describe an app to other programs, such as a sitemap. */
export declare namespace MetadataRoute {
  type Robots = RobotsFile
  type Manifest = WebManifest
  // Mutable, because apps add entries to the list that they return.
  type SitemapEntry = Sitemap[number]

  export type { Manifest, Robots, SitemapEntry, SitemapFile as Sitemap }
}
type SitemapFile = Sitemap[number][]

/** Types for the exports of `instrumentation.ts`. */
export declare namespace Instrumentation {
  type onRequestError = NonNullable<AppInstrumentation['onRequestError']>

  export type { onRequestError }
}

type Texts = Partial<Record<string, string | string[]>>

/**
 * Request to an API route in `pages/`. Waymark doesn't support such routes, but packages that also
 * accept such requests need the type.
 */
export type NextApiRequest = IncomingMessage & {
  query: Texts
  cookies: Partial<Record<string, string>>
  body: unknown
}

/** Response of an API route in `pages/`. @see NextApiRequest */
export type NextApiResponse<Data = unknown> = ServerResponse & {
  status(code: number): NextApiResponse<Data>
  json(data: Data): void
  send(data: Data): void
  redirect(statusOrUrl: number | string, url?: string): NextApiResponse<Data>
}

/** Argument of `getServerSideProps` in `pages/`. @see NextApiRequest */
export type GetServerSidePropsContext = {
  req: IncomingMessage & { cookies: Partial<Record<string, string>> }
  res: ServerResponse
  query: Texts
  params?: Texts
  resolvedUrl: string
}

/** A URL of the app. */
export type Route<Given extends string = string> = Given & string

declare global {
  interface RequestInit {
    /** Options for how long the response is cached, and which tags invalidate it. */
    next?: NextFetchOptions | undefined
  }
  /** Props of a page. @example `PageProps<'/blog/[slug]'>` */
  type PageProps<Pattern extends RoutePattern = RoutePattern> = WaymarkPageProps<Pattern>
  /** Props of a layout, including its slots. */
  type LayoutProps<Pattern extends LayoutPattern = LayoutPattern> = WaymarkLayoutProps<Pattern>
  /** Second argument of a route handler. */
  type RouteContext<Pattern extends string = string> = { params: Promise<ParamsOf<Pattern>> }
}
