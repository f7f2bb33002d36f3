// Generated from src/ by `npm run codegen`. Do not edit.
export const INPUT_RULES = {
  "InventoryBackorderCreateInput": {
    "fields": {
      "lines": {
        "each": {
          "fields": {
            "quantity": {
              "gt": 0
            }
          }
        }
      }
    }
  },
  "InventoryAdjustInput": {
    "fields": {
      "reason": {
        "maxLength": 1000,
        "pattern": "\\S"
      },
      "change": {
        "each": {
          "fields": {
            "quantityDelta": {
              "not": 0
            },
            "targetAvailable": {
              "gte": 0
            }
          }
        }
      }
    }
  },
  "InventoryMoveInput": {
    "fields": {
      "lines": {
        "minItems": 1,
        "maxItems": 100,
        "each": {
          "fields": {
            "quantity": {
              "gt": 0
            }
          }
        }
      },
      "reference": {
        "maxLength": 200
      },
      "notes": {
        "maxLength": 2000
      }
    }
  },
  "InventoryReceiptCreateInput": {
    "fields": {
      "reference": {
        "maxLength": 200
      },
      "notes": {
        "maxLength": 2000
      }
    }
  },
  "OrderReservationCreateInput": {
    "fields": {
      "quantity": {
        "gt": 0
      }
    }
  },
  "RoleCreateInput": {
    "fields": {
      "name": {
        "maxLength": 50,
        "pattern": "\\S"
      },
      "description": {
        "maxLength": 1000
      }
    }
  },
  "RoleUpdateInput": {
    "fields": {
      "name": {
        "maxLength": 50,
        "pattern": "\\S"
      },
      "description": {
        "maxLength": 1000
      }
    }
  },
  "TeamUpdateInput": {
    "fields": {
      "name": {
        "maxLength": 50,
        "pattern": "\\S"
      },
      "description": {
        "minLength": 1,
        "maxLength": 1000
      }
    }
  },
  "WorkOrderCreateInput": {
    "fields": {
      "title": {
        "maxLength": 200
      },
      "description": {
        "maxLength": 20000
      },
      "tasks": {
        "maxItems": 500,
        "each": {
          "fields": {
            "body": {
              "minLength": 1,
              "maxLength": 20000
            }
          }
        }
      }
    }
  }
} as const;
