import { demoData } from '../kernel/demoData.ts';
import type { Plan } from '../kernel/plan.ts';
import { documentTemplateTable } from './documentTemplates.ts';
import { emailTemplateTable } from './emailTemplates.ts';

const DAY_SECONDS = 86_400;
/** Age of the templates and of their last change. */
const AGE_SECONDS = 380 * DAY_SECONDS;
const CHANGED_SECONDS = 90 * DAY_SECONDS;

const EMAILS = [
  {
    name: 'Visit announced',
    subject: 'Our technician visits you',
    body: 'We look forward to seeing you. Please keep the meter cupboard free.',
  },
  { name: 'Visit report', subject: 'The report of our visit', body: 'Thank you for your time. You find the report in your portal.' },
  { name: 'Payment reminder', subject: 'A payment is still open', body: 'Please see to it within a week, or call us.' },
  { name: 'Yearly check', subject: 'Time for the yearly check', body: 'Choose a day in your portal.' },
] as const;

const DOCUMENTS = ['Visit report', 'Inspection certificate', 'Handover protocol', 'Warranty'] as const;

/** Columns that both kinds share. The last template of each kind is a draft. */
const createTemplateColumns = (plan: Plan, kind: string, index: number, count: number) => ({
  id: plan.id(`${kind} template ${index}`),
  workspace_id: plan.workspaceId,
  is_published: index < count - 1 ? 1 : 0,
  created_at: plan.now - AGE_SECONDS + index * DAY_SECONDS,
  updated_at: plan.now - CHANGED_SECONDS + index * DAY_SECONDS,
});

/** Creates `email template 0` to `3`. */
function seedEmailTemplates(plan: Plan): void {
  for (const [index, template] of EMAILS.entries()) {
    emailTemplateTable.insert(plan.store, { ...template, ...createTemplateColumns(plan, 'email', index, EMAILS.length) });
  }
}

/** Creates `document template 0` to `3`. */
function seedDocumentTemplates(plan: Plan): void {
  for (const [index, name] of DOCUMENTS.entries()) {
    documentTemplateTable.insert(plan.store, { name, ...createTemplateColumns(plan, 'document', index, DOCUMENTS.length) });
  }
}

export const emailTemplatesDemo = demoData({
  examples: { EmailTemplate: ['email template 0', 'email template 1'] },
  seed: seedEmailTemplates,
});

export const documentTemplatesDemo = demoData({
  examples: { DocumentTemplate: ['document template 0', 'document template 1'] },
  seed: seedDocumentTemplates,
});
