import { index, route } from '@react-router/dev/routes'

export default [
  index('routes/static.jsx'),
  ...['small', 'items', 'own', 'refresh', 'start'].map((name) => route(name, `routes/${name}.jsx`)),
]
