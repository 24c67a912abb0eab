import type { Log } from '../subjects/subject.ts'
import { names, paths } from './payload.ts'

/** A log call of a program, with its own message and its own shape of attributes. */
export type CallSite = (log: Pick<Log, 'attributes'>, i: number) => void

/** The call sites of a medium-sized service. Each shape occurs once, with two to six attributes. */
export const callSites: readonly CallSite[] = [
  (log, i) => log.attributes('order created', { orderId: i, name: names[i % 64], region: 'eu-west-1' }),
  (log, i) =>
    log.attributes('order loaded', {
      orderId: i,
      ms: (i % 977) / 8,
      ok: i % 3 > 0,
      region: 'eu-west-1',
      count: i % 50,
    }),
  (log, i) =>
    log.attributes('order updated', {
      orderId: i,
      status: 200 + (i % 5),
      path: paths[i % 64],
      ms: (i % 977) / 8,
      region: 'eu-west-1',
    }),
  (log, i) =>
    log.attributes('order failed', {
      orderId: i,
      reason: 'timeout',
      attempt: 1 + (i % 3),
      region: 'eu-west-1',
      tags: ['new', 'gift'],
    }),
  (log, i) =>
    log.attributes('invoice created', { invoiceId: i, name: names[i % 64], count: i % 50, tags: ['new', 'gift'] }),
  (log, i) => log.attributes('invoice loaded', { invoiceId: i, ms: (i % 977) / 8, ok: i % 3 > 0, count: i % 50 }),
  (log, i) =>
    log.attributes('invoice updated', {
      invoiceId: i,
      status: 200 + (i % 5),
      path: paths[i % 64],
      ms: (i % 977) / 8,
      count: i % 50,
      source: { kind: 'ip', port: 8_080 },
    }),
  (log, i) =>
    log.attributes('invoice failed', { invoiceId: i, reason: 'timeout', attempt: 1 + (i % 3), count: i % 50 }),
  (log, i) => log.attributes('cart created', { cartId: i, name: names[i % 64], size: 1_000 + (i % 4_096) }),
  (log, i) =>
    log.attributes('cart loaded', {
      cartId: i,
      ms: (i % 977) / 8,
      ok: i % 3 > 0,
      size: 1_000 + (i % 4_096),
      none: null,
    }),
  (log, i) =>
    log.attributes('cart updated', {
      cartId: i,
      status: 200 + (i % 5),
      path: paths[i % 64],
      ms: (i % 977) / 8,
      size: 1_000 + (i % 4_096),
    }),
  (log, i) =>
    log.attributes('cart failed', {
      cartId: i,
      reason: 'timeout',
      attempt: 1 + (i % 3),
      size: 1_000 + (i % 4_096),
      path: paths[i % 64],
    }),
  (log, i) =>
    log.attributes('user created', { userId: i, name: names[i % 64], tags: ['new', 'gift'], path: paths[i % 64] }),
  (log, i) => log.attributes('user loaded', { userId: i, ms: (i % 977) / 8, ok: i % 3 > 0, tags: ['new', 'gift'] }),
  (log, i) =>
    log.attributes('user updated', {
      userId: i,
      status: 200 + (i % 5),
      path: paths[i % 64],
      ms: (i % 977) / 8,
      tags: ['new', 'gift'],
    }),
  (log, i) =>
    log.attributes('user failed', { userId: i, reason: 'timeout', attempt: 1 + (i % 3), tags: ['new', 'gift'] }),
  (log, i) =>
    log.attributes('session created', {
      sessionId: i,
      name: names[i % 64],
      user: { id: i % 1_000, name: names[i % 64] },
    }),
  (log, i) =>
    log.attributes('session loaded', {
      sessionId: i,
      ms: (i % 977) / 8,
      ok: i % 3 > 0,
      user: { id: i % 1_000, name: names[i % 64] },
      attempt: 1 + (i % 3),
    }),
  (log, i) =>
    log.attributes('session updated', {
      sessionId: i,
      status: 200 + (i % 5),
      path: paths[i % 64],
      ms: (i % 977) / 8,
      user: { id: i % 1_000, name: names[i % 64] },
    }),
  (log, i) =>
    log.attributes('session failed', {
      sessionId: i,
      reason: 'timeout',
      attempt: 1 + (i % 3),
      user: { id: i % 1_000, name: names[i % 64] },
      count: i % 50,
    }),
  (log, i) =>
    log.attributes('token created', {
      tokenId: i,
      name: names[i % 64],
      source: { kind: 'ip', port: 8_080 },
      count: i % 50,
    }),
  (log, i) =>
    log.attributes('token loaded', {
      tokenId: i,
      ms: (i % 977) / 8,
      ok: i % 3 > 0,
      source: { kind: 'ip', port: 8_080 },
    }),
  (log, i) =>
    log.attributes('token updated', {
      tokenId: i,
      status: 200 + (i % 5),
      path: paths[i % 64],
      ms: (i % 977) / 8,
      source: { kind: 'ip', port: 8_080 },
      count: i % 50,
    }),
  (log, i) =>
    log.attributes('token failed', {
      tokenId: i,
      reason: 'timeout',
      attempt: 1 + (i % 3),
      source: { kind: 'ip', port: 8_080 },
    }),
  (log, i) => log.attributes('job created', { jobId: i, name: names[i % 64], cost: (i % 200) / 4 }),
  (log, i) =>
    log.attributes('job loaded', {
      jobId: i,
      ms: (i % 977) / 8,
      ok: i % 3 > 0,
      cost: (i % 200) / 4,
      tags: ['new', 'gift'],
    }),
  (log, i) =>
    log.attributes('job updated', {
      jobId: i,
      status: 200 + (i % 5),
      path: paths[i % 64],
      ms: (i % 977) / 8,
      cost: (i % 200) / 4,
    }),
  (log, i) =>
    log.attributes('job failed', {
      jobId: i,
      reason: 'timeout',
      attempt: 1 + (i % 3),
      cost: (i % 200) / 4,
      source: { kind: 'ip', port: 8_080 },
    }),
  (log, i) =>
    log.attributes('queue created', {
      queueId: i,
      name: names[i % 64],
      none: null,
      source: { kind: 'ip', port: 8_080 },
    }),
  (log, i) => log.attributes('queue loaded', { queueId: i, ms: (i % 977) / 8, ok: i % 3 > 0, none: null }),
  (log, i) =>
    log.attributes('queue updated', {
      queueId: i,
      status: 200 + (i % 5),
      path: paths[i % 64],
      ms: (i % 977) / 8,
      none: null,
    }),
  (log, i) => log.attributes('queue failed', { queueId: i, reason: 'timeout', attempt: 1 + (i % 3), none: null }),
  (log, i) => log.attributes('cache created', { cacheId: i, name: names[i % 64] }),
  (log, i) =>
    log.attributes('cache loaded', {
      cacheId: i,
      ms: (i % 977) / 8,
      ok: i % 3 > 0,
      name: names[i % 64],
      path: paths[i % 64],
    }),
  (log, i) =>
    log.attributes('cache updated', {
      cacheId: i,
      status: 200 + (i % 5),
      path: paths[i % 64],
      ms: (i % 977) / 8,
      name: names[i % 64],
    }),
  (log, i) =>
    log.attributes('cache failed', {
      cacheId: i,
      reason: 'timeout',
      attempt: 1 + (i % 3),
      name: names[i % 64],
      ms: (i % 977) / 8,
    }),
  (log, i) =>
    log.attributes('query created', { queryId: i, name: names[i % 64], path: paths[i % 64], ms: (i % 977) / 8 }),
  (log, i) => log.attributes('query loaded', { queryId: i, ms: (i % 977) / 8, ok: i % 3 > 0, path: paths[i % 64] }),
  (log, i) =>
    log.attributes('query updated', {
      queryId: i,
      status: 200 + (i % 5),
      path: paths[i % 64],
      ms: (i % 977) / 8,
      attempt: 1 + (i % 3),
    }),
  (log, i) =>
    log.attributes('query failed', { queryId: i, reason: 'timeout', attempt: 1 + (i % 3), path: paths[i % 64] }),
  (log, i) => log.attributes('upload created', { uploadId: i, name: names[i % 64], ok: i % 3 > 0 }),
  (log, i) => log.attributes('upload loaded', { uploadId: i, ms: (i % 977) / 8, ok: i % 3 > 0, count: i % 50 }),
  (log, i) =>
    log.attributes('upload updated', {
      uploadId: i,
      status: 200 + (i % 5),
      path: paths[i % 64],
      ms: (i % 977) / 8,
      ok: i % 3 > 0,
    }),
  (log, i) =>
    log.attributes('upload failed', {
      uploadId: i,
      reason: 'timeout',
      attempt: 1 + (i % 3),
      ok: i % 3 > 0,
      count: i % 50,
    }),
  (log, i) => log.attributes('mail created', { mailId: i, name: names[i % 64], ms: (i % 977) / 8, count: i % 50 }),
  (log, i) => log.attributes('mail loaded', { mailId: i, ms: (i % 977) / 8, ok: i % 3 > 0 }),
  (log, i) =>
    log.attributes('mail updated', {
      mailId: i,
      status: 200 + (i % 5),
      path: paths[i % 64],
      ms: (i % 977) / 8,
      tags: ['new', 'gift'],
    }),
  (log, i) => log.attributes('mail failed', { mailId: i, reason: 'timeout', attempt: 1 + (i % 3), ms: (i % 977) / 8 }),
  (log, i) => log.attributes('webhook created', { webhookId: i, name: names[i % 64], status: 200 + (i % 5) }),
  (log, i) =>
    log.attributes('webhook loaded', {
      webhookId: i,
      ms: (i % 977) / 8,
      ok: i % 3 > 0,
      status: 200 + (i % 5),
      source: { kind: 'ip', port: 8_080 },
    }),
  (log, i) =>
    log.attributes('webhook updated', { webhookId: i, status: 200 + (i % 5), path: paths[i % 64], ms: (i % 977) / 8 }),
  (log, i) =>
    log.attributes('webhook failed', {
      webhookId: i,
      reason: 'timeout',
      attempt: 1 + (i % 3),
      status: 200 + (i % 5),
      none: null,
    }),
  (log, i) => log.attributes('coupon created', { couponId: i, name: names[i % 64], attempt: 1 + (i % 3), none: null }),
  (log, i) => log.attributes('coupon loaded', { couponId: i, ms: (i % 977) / 8, ok: i % 3 > 0, attempt: 1 + (i % 3) }),
  (log, i) =>
    log.attributes('coupon updated', {
      couponId: i,
      status: 200 + (i % 5),
      path: paths[i % 64],
      ms: (i % 977) / 8,
      attempt: 1 + (i % 3),
    }),
  (log, i) => log.attributes('coupon failed', { couponId: i, reason: 'timeout', attempt: 1 + (i % 3) }),
  (log, i) => log.attributes('report created', { reportId: i, name: names[i % 64], reason: 'timeout' }),
  (log, i) => log.attributes('report loaded', { reportId: i, ms: (i % 977) / 8, ok: i % 3 > 0, reason: 'timeout' }),
  (log, i) =>
    log.attributes('report updated', {
      reportId: i,
      status: 200 + (i % 5),
      path: paths[i % 64],
      ms: (i % 977) / 8,
      reason: 'timeout',
    }),
  (log, i) => log.attributes('report failed', { reportId: i, reason: 'timeout', attempt: 1 + (i % 3) }),
  (log, i) =>
    log.attributes('search created', { searchId: i, name: names[i % 64], count: i % 50, attempt: 1 + (i % 3) }),
  (log, i) => log.attributes('search loaded', { searchId: i, ms: (i % 977) / 8, ok: i % 3 > 0, count: i % 50 }),
  (log, i) =>
    log.attributes('search updated', {
      searchId: i,
      status: 200 + (i % 5),
      path: paths[i % 64],
      ms: (i % 977) / 8,
      count: i % 50,
    }),
  (log, i) => log.attributes('search failed', { searchId: i, reason: 'timeout', attempt: 1 + (i % 3), count: i % 50 }),
]
