export { Form, type FormProps } from './components/Form.tsx'
export { Link, type LinkProps } from './components/Link.tsx'
export type { InvalidInput } from './shared/actionResponse.ts'
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
} from './shared/appRoutes.ts'
export { basePath, trailingSlash } from './shared/basePath.ts'
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
} from './shared/metadata.ts'
export { permanentRedirect, type RedirectOptions, redirect } from './shared/redirect.ts'
export { forbidden, notFound, unauthorized } from './shared/statuses.ts'
export { ForcedTheme, type ForcedThemeProps } from './theme/ForcedTheme.tsx'
export { ThemeScope, type ThemeScopeProps } from './theme/ThemeScope.tsx'
export { ThemeSelect, type ThemeSelectProps } from './theme/ThemeSelect.tsx'
export { ThemeToggle, type ThemeToggleProps } from './theme/ThemeToggle.tsx'
