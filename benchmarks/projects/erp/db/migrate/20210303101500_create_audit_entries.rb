# frozen_string_literal: true

class CreateAuditEntries < ActiveRecord::Migration[6.1]
  def up
    create_table :audit_entries do |t|
      t.string :record_type, null: false
      t.bigint :record_id, null: false
      t.string :system_user
      t.string :action, null: false
      t.jsonb :changes_made
      t.datetime :created_at, null: false, default: -> { "now()" }
    end
    execute "CREATE RULE audit_entries_keep AS ON DELETE TO audit_entries DO INSTEAD NOTHING"
  end

  def down
    drop_table :audit_entries
  end
end
