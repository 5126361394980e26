export { OfflineUser } from './components/OfflineUser.tsx'
