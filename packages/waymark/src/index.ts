export {
  forbidden,
  notFound,
  permanentRedirect,
  type RedirectOptions,
  redirect,
  unauthorized,
} from './shared/navigation.ts'
