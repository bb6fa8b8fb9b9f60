export const record = {
  tenant: 'acme',
  userId: 'ada',
  stamp: 'the stamp',
  createdAt: 1,
  lastSeenAt: 2,
  expiresAt: 9,
  pendingSecret: null,
}

export const login = { tenant: null, userId: 'ada', stamp: 'the stamp', createdAt: 1, expiresAt: 9 }

export const entry = {
  id: 'entry',
  type: 'type',
  title: 'title',
  body: null,
  url: '/',
  createdAt: 1,
}
