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

/** What an app says about itself in files of their own. */
export declare namespace MetadataRoute {
  type Robots = RobotsFile
  type Manifest = WebManifest
  // Apps write into the list that they return.
  type SitemapEntry = Sitemap[number]

  export type { Manifest, Robots, SitemapEntry, SitemapFile as Sitemap }
}
type SitemapFile = Sitemap[number][]

/** What `instrumentation.ts` may export. */
export declare namespace Instrumentation {
  type onRequestError = NonNullable<AppInstrumentation['onRequestError']>

  export type { onRequestError }
}

type Texts = Partial<Record<string, string | string[]>>

/** A request to an API route of `pages/`: for the types of packages that take one, too. */
export type NextApiRequest = IncomingMessage & {
  query: Texts
  cookies: Partial<Record<string, string>>
  body: unknown
}

/** The response of an API route of `pages/`. @see NextApiRequest */
export type NextApiResponse<Data = unknown> = ServerResponse & {
  status(code: number): NextApiResponse<Data>
  json(data: Data): void
  send(data: Data): void
  redirect(statusOrUrl: number | string, url?: string): NextApiResponse<Data>
}

/** What a loader of `pages/` is given. @see NextApiRequest */
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
    /** How long the response is cached, and what ends it. */
    next?: NextFetchOptions | undefined
  }
  /** The props of a page. @example `PageProps<'/blog/[slug]'>` */
  type PageProps<Pattern extends RoutePattern = RoutePattern> = WaymarkPageProps<Pattern>
  /** The props of a layout, its slots included. */
  type LayoutProps<Pattern extends LayoutPattern = LayoutPattern> = WaymarkLayoutProps<Pattern>
  /** What a route handler gets beside its request. */
  type RouteContext<Pattern extends string = string> = { params: Promise<ParamsOf<Pattern>> }
}
