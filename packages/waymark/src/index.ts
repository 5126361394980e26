export { Form, type FormProps } from './components/Form.tsx'
export { href, Link, type LinkProps, type RouteHref } from './components/Link.tsx'
export { SearchField, type SearchFieldProps } from './components/SearchField.tsx'
export { forbidden, notFound, unauthorized } from './http/statuses.ts'
export type {
  AppLayouts,
  AppRoute,
  AppRoutes,
  Href,
  LayoutPattern,
  LayoutProps,
  PageProps,
  ParamsOf,
  RoutePattern,
} from './routing/appRoutes.ts'
export { permanentRedirect, type RedirectOptions, redirect } from './routing/redirect.ts'
export { type CurrentParams, withParams } from './routing/withParams.ts'
export type {
  Metadata,
  ResolvedMetadata,
  ResolvedViewport,
  ResolvingMetadata,
  ResolvingViewport,
  RobotsFile,
  Sitemap,
  Viewport,
  WebManifest,
} from './rsc/metadata/metadata.ts'
export { basePath, trailingSlash } from './shared/basePath.ts'
export { ForcedTheme, type ForcedThemeProps } from './theme/ForcedTheme.tsx'
export { ThemeScope, type ThemeScopeProps } from './theme/ThemeScope.tsx'
export { ThemeSelect, type ThemeSelectProps } from './theme/ThemeSelect.tsx'
export { ThemeToggle, type ThemeToggleProps } from './theme/ThemeToggle.tsx'
export type { InvalidInput } from './wire/actionResponse.ts'
